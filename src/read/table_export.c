/* Tables that were exported from experiment trackers: they hold one real step in N.
 *
 * Enters: the columns of a table and its rows. Leaves: whether the series is sampled. It must not
 * know how the table was read. */
#include <string.h>

#include "read/table.h"

static bool has_column(const stall_table *t, const char *name)
{
    for (size_t i = 0; i < t->len; i++)
        if (t->columns[i].len == strlen(name) &&
            memcmp(t->columns[i].name, name, t->columns[i].len) == 0)
            return true;
    return false;
}

static bool has_ending(const stall_table *t, const char *end)
{
    size_t n = strlen(end);

    for (size_t i = 0; i < t->len; i++)
        if (t->columns[i].len > n &&
            memcmp(t->columns[i].name + t->columns[i].len - n, end, n) == 0)
            return true;
    return false;
}

/* Weights & Biases (a chart, or the API), TensorBoard, Lightning's CSVLogger. */
static bool is_export(const stall_table *t)
{
    return (has_column(t, "Step") && has_ending(t, "__MIN") && has_ending(t, "__MAX")) ||
           (has_column(t, "_step") && (has_column(t, "_timestamp") || has_column(t, "_runtime"))) ||
           (has_column(t, "Wall time") && has_column(t, "Step")) ||
           (has_column(t, "step") && has_column(t, "epoch") && has_ending(t, "_step") &&
            has_ending(t, "_epoch"));
}

void stall_table_exported(const stall_table *t)
{
    const stall_series *s = t->out;

    if (t->own || !is_export(t))
        return;
    for (size_t i = 1; i < s->len; i++) {
        const stall_row *a = &s->rows[i - 1], *b = &s->rows[i];

        if (a->rank == b->rank && a->epoch == b->epoch && a->step >= 0 && b->step > a->step &&
            b->step - a->step > 1) {
            t->out->sampled = true;
            return;
        }
    }
}
