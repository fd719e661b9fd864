/* The vocabulary of warnings: the stable name, the words and the help of each code.
 *
 * Enters: a code. Leaves: constant text: words in lower case without a full stop, and one paragraph
 * that says what was seen, what was done about it and what to do. Counting stands in warn.c. */
#include <assert.h>

#include "base/base.h"

#define TERM(name, words, help) [STALL_WARN_##name] = {#name, words, help}

static const stall_term terms[STALL_WARN_COUNT] = {
    /* Damage of the bytes. */
    TERM(truncated, "file is cut short",
         "The file ends in the middle: its writer was killed, the disk was full, or the copy is "
         "not complete. Every whole event or row before that place is used, and the run is "
         "PARTIAL. The last step counts as unknown where its wait may be among what was lost. "
         "A file named .tmp is one that the profiler had not finished."),
    TERM(compressed_cut, "compressed stream is cut short or damaged",
         "The gzip or zstd stream ends too early, holds data that cannot be decoded, or its "
         "checksum or length is wrong. Everything decoded before that place is used, and the "
         "run is PARTIAL. The offset is one in the compressed file. Copy the file again; if "
         "it is broken at its origin, look for two processes that write to one path."),
    TERM(events_lost, "events or rows lost in broken text",
         "Some text could not be parsed (often an unescaped quote in a name), so reading "
         "went on at the next event or row, and what lay between is lost. The run is "
         "PARTIAL. Steps without a wait are then unknown, not zero. When many are lost, or "
         "one that looks like a step marker or a wait, the run is refused instead."),
    TERM(second_document, "several JSON documents in one file",
         "More JSON follows the end of the first document, as when a run was appended to an "
         "older file. Each document is read alone, with its own time base, and its steps "
         "follow as a segment of their own. Bytes that begin no document are ignored. Write "
         "each run to a file of its own."),
    TERM(duplicate_keys, "a top-level key or a column appears twice",
         "The same key stands twice at the top of the file, or two columns of a table have one "
         "name. Lists of events are joined; of a time base the last one counts, of "
         "distributedInfo and of columns the first. Usual causes are merged files and metadata "
         "that was added twice."),
    TERM(bad_escape, "invalid escapes in strings",
         "A string holds a backslash that begins no valid JSON escape, mostly a Windows path "
         "that some versions of the profiler write as it is. Both bytes are kept as they "
         "stand. Names are only labels here, so no number changes."),
    TERM(control_byte, "raw control bytes in strings",
         "A string holds control bytes, such as a line break or 0x01, that JSON wants to be "
         "escaped. They are kept and shown as \\xNN. Names are only labels here, so no number "
         "changes."),
    TERM(bad_number, "values that are no valid numbers",
         "A value is a bare word such as inf, nan or N/A, or nothing at all, where JSON or "
         "the column wants a number. It is taken as missing. If it is the time of a step or "
         "wait, that step is unknown; it is never read as 0."),
    TERM(bad_utf8, "text that is not valid UTF-8",
         "Some text is not UTF-8, as when a name was cut within a character or written in "
         "another encoding. The bytes are kept and shown as \\xNN. Names are only labels "
         "here, so no number changes."),
    TERM(bom, "byte order mark at the start",
         "The file begins with the UTF-8 byte order mark that some editors on Windows add. "
         "It is skipped and nothing is lost. A file in UTF-16 is refused: convert it with "
         "iconv."),
    TERM(stray_comma, "missing or extra commas",
         "Commas are missing, doubled, or stand before a closing bracket. Every value "
         "between them is read as usual, so nothing is lost; the writer of the file is not "
         "a strict one, or somebody edited it."),
    TERM(bad_header, "damaged text around the data",
         "A value outside the events or rows cannot be read, such as metadata with unescaped "
         "quotes, or bytes follow the end of the compressed data. It is passed over. All "
         "events and rows count, but facts such as the number of workers may be missing: "
         "give them as options."),
    /* What the events mean. */
    TERM(no_step_marks, "no step markers: a step is the time from wait to wait",
         "The trace has no ProfilerStep events, so steps are cut where each wait for input "
         "begins and numbered from 0. Waits are as good as ever; step times then begin with the "
         "wait and the last step has none. Pass a schedule to the profiler and call its step() "
         "once an iteration to get real steps."),
    TERM(wait_tier, "waits were taken from other events than the DataLoader's own",
         "No event named enumerate(DataLoader)#... was on the training thread, so the next "
         "best kind was used: Lightning's fetch range, the Python frame of the loader's "
         "__next__, or a user range whose name speaks of loading. Frames are a little longer "
         "than the wait; a user range may hold other work or nothing at all. Check what it "
         "encloses, or name the right one with --wait-name."),
    TERM(off_thread_waits, "waits on threads that run no steps are left out",
         "Loader events were found on threads without step markers, as with a prefetching "
         "or pin-memory thread. The training loop does not block there, so they do not "
         "count. If the loop takes its batches from such a thread, its own blocking may have "
         "no event: put a record_function around it and name it with --wait-name."),
    TERM(several_fetches, "steps that fetch more than one batch",
         "Some steps hold several fetches: gradient accumulation, a validation loop inside "
         "a step, or one marker for many batches. Their waits are added. A cadence of the "
         "loader in batches is then blurred, because a step is not a batch."),
    TERM(other_loader, "waits of a second loader are kept apart",
         "Several kinds of DataLoader iterators were at work, and one serves far fewer steps "
         "than the others, as a validation loader does. Its waits are not training input: "
         "they are shown as other_wait_ms and do not count."),
    TERM(evaluation_steps, "evaluation steps are left out",
         "Steps whose only fetches lie in an evaluation range are no training steps and were "
         "left out of the series. Their markers share one counter with the training steps, "
         "so the steps that stay are numbered on in order from the first one's label."),
    TERM(end_of_data, "the fetch that found the end of the data is left out",
         "The last fetch brought no batch: it found that the data had ended. It can take "
         "seconds, because the loader then waits for its workers to stop, but no training "
         "step paid for it. Its step is left out; the warning gives its length."),
    TERM(waits_after_last_step, "waits after the last step are left out",
         "Waits begin after the last step marker has ended. They belong to no step that was "
         "recorded and do not count. A schedule whose active window ends before the loop "
         "does leaves such waits."),
    TERM(markers_overlap, "step markers overlap",
         "A step marker ends after the next one of its thread has begun, by more than the "
         "rounding of the trace explains. The earlier one was made to end there, so that no "
         "time counts twice."),
    TERM(unfinished_event, "waits that had not ended when recording stopped",
         "The profiler stopped while the loop was waiting, so the length of the last wait is "
         "not known: only that it was at least that long. Its step is shown but left out of "
         "the statistics. Record a few steps more."),
    TERM(steps_without_wait, "steps without a wait",
         "Some steps hold no wait event although others do. In a trace the loop did not block "
         "there, so their wait is 0; if that is most of them, the marker may not be set once a "
         "batch. In a step log the fetch was not seen, so their wait is unknown: the loader may "
         "fetch on a thread of its own."),
    /* Ranks, rows and columns. */
    TERM(missing_ranks, "not every rank is there",
         "The run says that it had more ranks than there are files or rows for. The slowest rank "
         "sets the pace of all, so the worst waits may be among those not seen. Add the files of "
         "the other ranks."),
    TERM(duplicate_rank, "a rank appears twice",
         "Two files or sets of rows claim to be the same rank and do not follow each other "
         "in time. Usual causes are files of two runs in one folder and a copied file. "
         "Compare the names in the message and keep one."),
    TERM(time_bases_differ, "ranks do not share a time base",
         "The clocks of the ranks start at different moments or the files do not say when, "
         "so steps are aligned by their numbers and not by time. Waits and step times are "
         "lengths and do not suffer."),
    TERM(rows_skipped, "rows that could not be used are skipped",
         "Some rows or files hold no usable step: a broken line, a row of another kind, a "
         "step number that is no whole number, a time that is negative. They were counted "
         "and skipped. Look at the first one, which the message names; many of them mean "
         "that the wrong columns are read."),
    TERM(unit_assumed, "the unit of a time is assumed",
         "Neither the name of the column nor the file says in which unit the time stands, so "
         "one was assumed, and the message says which. Everything in milliseconds hangs on "
         "it; shares and cadence do not. Settle it with --wait-col NAME:UNIT, UNIT being s, "
         "ms, us or ns."),
    TERM(several_launches, "several launches in one input",
         "The training was started more than once and wrote to one log or folder. Steps of "
         "each launch are kept as a segment of their own. A launch begins with cold caches "
         "and new workers, so compare equal launches."),
    TERM(aborted_step, "a step was not finished",
         "A step began but its end was never recorded, because the training stopped or "
         "crashed in it. It is left out, since its times are not known. In a step log of TraceML "
         "it bears the number of the step before it; of the two rows the fuller one is used."),
    TERM(aggregated_rows, "rows are averages over several steps",
         "Each row is the mean or median of many steps. A stall of one step is smeared over "
         "its row, so stalls, gaps and cadence cannot be found here; means and shares hold. "
         "Log every step to see the shape."),
    TERM(missing_steps, "step numbers have holes",
         "Step numbers jump, so rows are missing in between: the log keeps one step in N, or "
         "rows were lost. The missing steps are unknown, not zero, and gaps between stalls "
         "that span a hole are not used."),
};

const char *stall_warn_name(stall_warn_code code)
{
    return stall_warn_term(code)->code;
}

const stall_term *stall_warn_term(stall_warn_code code)
{
    assert((unsigned)code < STALL_WARN_COUNT);
    return &terms[code];
}
