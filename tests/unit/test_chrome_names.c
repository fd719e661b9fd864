/* Names of trace events: what each kind accepts and what it must refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "read/read.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])
#define LOADER "enumerate(DataLoader)#"

static void all_are(const char *const *names, size_t n, stall_chrome_kind kind, int tier)
{
    size_t i;

    for (i = 0; i < n; i++) {
        stall_chrome_name c = stall_chrome_classify(names[i], strlen(names[i]));
        if (c.kind != kind || c.tier != tier)
            fail_msg("%s: kind %d tier %d, want %d %d", names[i], (int)c.kind, c.tier, (int)kind,
                     tier);
    }
}

static void none_is(const char *const *names, size_t n, stall_chrome_kind kind, int tier)
{
    size_t i;

    for (i = 0; i < n; i++) {
        stall_chrome_name c = stall_chrome_classify(names[i], strlen(names[i]));
        if (c.kind == kind && c.tier == tier)
            fail_msg("%s: taken for kind %d tier %d", names[i], (int)kind, tier);
    }
}

static void test_markers(void **state)
{
    static const char *const good[] = {"ProfilerStep#0", "ProfilerStep#12", "ProfilerStep#007",
                                       "ProfilerStep#99999999999999999999999"};
    static const char *const spaced[] = {"ProfilerStep# 12", "ProfilerStep #12",
                                         "ProfilerStep\t# 3"};
    static const char *const bad[] = {"ProfilerStep",     "ProfilerStep#",   "ProfilerStep#1a",
                                      "ProfilerStep#-1",  "profilerstep#1",  "ProfilerStep#1 ",
                                      "xProfilerStep#1",  "ProfilerStep##1", "ProfilerStep#1.5",
                                      "ProfilerStep# 1x", "ProfilerStep#1\n"};
    (void)state;
    all_are(good, COUNT(good), STALL_CHROME_MARKER, 0);
    all_are(spaced, COUNT(spaced), STALL_CHROME_SPACED, 0);
    none_is(bad, COUNT(bad), STALL_CHROME_MARKER, 0);
    none_is(bad, COUNT(bad), STALL_CHROME_SPACED, 0);
    assert_int_equal(stall_chrome_classify("ProfilerStep#551", 16).number, 551);
    assert_true(stall_chrome_classify(good[3], strlen(good[3])).number == STALL_UNKNOWN);
}

static void test_tier_1(void **state)
{
    static const char *const good[] = {
        LOADER "_SingleProcessDataLoaderIter.__next__",
        LOADER "_MultiProcessingDataLoaderIter.__next__",
        LOADER "_StatefulMultiProcessingDataLoaderIter.__next__",
        LOADER "Any thing at all.__next__",
        LOADER ".__next__",
        "enumerate(DataPipe)#Batcher",
        "enumerate(DataPipe)#",
    };
    static const char *const bad[] = {
        LOADER "_SingleProcessDataLoaderIter._next_data",
        LOADER "_SingleProcessDataLoaderIter.__next__ ",
        LOADER "__next__",
        " " LOADER "X.__next__",
        "thread 7 (" LOADER "X.__next__)",
        "enumerate(DataLoader).__next__",
        "Batcher(batch_size=4)",
        "enumerate(DataPipes)#Batcher",
    };
    (void)state;
    all_are(good, COUNT(good), STALL_CHROME_WAIT, 1);
    none_is(bad, COUNT(bad), STALL_CHROME_WAIT, 1);
    assert_true(stall_chrome_classify(good[0], strlen(good[0])).data_loader);
    assert_false(stall_chrome_classify(good[5], strlen(good[5])).data_loader);
}

static void test_tier_2(void **state)
{
    static const char *const good[] = {
        "[pl][profile][_TrainingEpochLoop].train_dataloader_next",
        "[_TrainingEpochLoop].train_dataloader_next",
        "[Loop].train_dataloader_next_and_more",
        "[pl][profile]get_train_batch",
        "get_train_batch",
        "[Strategy]SingleDeviceStrategy.fetch_next_train_batch",
        "[pl][profile][Strategy]X.fetch_next_train",
    };
    static const char *const bad[] = {
        "[pl][profile][_EvaluationLoop].val_next",
        "[pl][profile]run_training_batch",
        "[Loop9].train_dataloader_next",
        "[].train_dataloader_next",
        "x[Loop].train_dataloader_next",
        "my get_train_batch",
        "[Strategy]SingleDeviceStrategy.training_step",
        "[pl][profile]train_dataloader_next",
        "[pl]get_train_batch",
    };
    (void)state;
    all_are(good, COUNT(good), STALL_CHROME_WAIT, 2);
    none_is(bad, COUNT(bad), STALL_CHROME_WAIT, 2);
}

static void test_tier_3(void **state)
{
    static const char *const good[] = {
        "torch/utils/data/dataloader.py(703): __next__",
        "/usr/lib/python3/site-packages/torch/utils/data/dataloader.py(1): __next__",
        "C:\\py\\torch\\utils\\data\\dataloader.py(628): __next__",
        "torch\\utils/data\\dataloader.py(628): __next__",
    };
    static const char *const bad[] = {
        "torch/utils/data/dataloader.py(703): _next_data",
        "torch/utils/data/dataloader.py(703): __iter__",
        "torch/utils/data/dataloader.py(): __next__",
        "torch/utils/data/dataloader.py(x): __next__",
        "mytorch/utils/data/dataloader.py(703): __next__",
        "torch/utils/data/my_dataloader.py(703): __next__",
        "torch/utils/data/dataloader.py(703): __next__x",
        "torchdata/nodes/base_node.py(75): __next__",
        "utils/data/dataloader.py(703): __next__",
    };
    (void)state;
    all_are(good, COUNT(good), STALL_CHROME_WAIT, 3);
    none_is(bad, COUNT(bad), STALL_CHROME_WAIT, 3);
}

static void test_tier_4(void **state)
{
    static const char *const good[] = {
        "## data_load ##", "## next_batch ##", "##load_batch##",  "data_loading",    "data loader",
        "dataloading",     "load_data",        "load-batch",      "Data_Fetch",      "fetch-data",
        "get_batch",       "GETBATCH",         "dataloader_next", "DataLoader.next", "dataloader",
        "1_data_load",     "# 12-next batch",  "01 get_batch #",  "dataloader next",
    };
    static const char *const bad[] = {
        "data_loaders",   "data_loaded",   "load_database",    "my_data_load",
        "get_batch_size", "data__load",    "data_load ",       "## data_load ## x",
        "data.load",      "data_transfer", "dataloader.to(x)", "dataloader_fetch",
        "batch_get",      "next_batches",  "get batch of x",   "1 2 data_load",
        "#1# data_load",
    };
    (void)state;
    all_are(good, COUNT(good), STALL_CHROME_WAIT, 4);
    none_is(bad, COUNT(bad), STALL_CHROME_WAIT, 4);
}

static void test_evaluation(void **state)
{
    static const char *const good[] = {
        "[pl][profile][_EvaluationLoop].val_next",
        "[_EvaluationLoop].anything",
        "[pl][profile][_EvaluationLoop].",
        "val_next",
        "[X].val_next",
        "[pl][profile]evaluation_step_and_end",
        "run evaluation_step_and_end",
    };
    static const char *const bad[] = {
        "interval_next",   "[pl][profile][_EvaluationLoop]val",
        "val_next_batch",  "my_val_next",
        "evaluation_step", "[_TrainingEpochLoop].train_dataloader_next",
    };
    (void)state;
    all_are(good, COUNT(good), STALL_CHROME_EVALUATION, 0);
    none_is(bad, COUNT(bad), STALL_CHROME_EVALUATION, 0);
}

static void test_work_and_edges(void **state)
{
    static const char *const work[] = {"",
                                       "a",
                                       "aten::mm",
                                       "ProfilerStep",
                                       "nn.Module: Linear_3",
                                       "Optimizer.step#AdamW.step",
                                       "PyTorch Profiler (0)"};
    static const char with_nul[] = "ProfilerStep#1\0";
    (void)state;
    all_are(work, COUNT(work), STALL_CHROME_OTHER, 0);
    assert_int_equal(stall_chrome_classify(with_nul, 15).kind, STALL_CHROME_OTHER);
}

static void test_vital(void **state)
{
    (void)state;
    assert_true(stall_chrome_vital("ProfilerStep#1", 14));
    assert_true(stall_chrome_vital(LOADER "Fork\\", 27));
    assert_true(stall_chrome_vital("enumerate(DataPipe)#x", 21));
    assert_false(stall_chrome_vital("ProfilerStep", 12));
    assert_false(stall_chrome_vital("a.py(3): enumerate(DataLoader)#", 31));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markers),        cmocka_unit_test(test_tier_1),
        cmocka_unit_test(test_tier_2),         cmocka_unit_test(test_tier_3),
        cmocka_unit_test(test_tier_4),         cmocka_unit_test(test_evaluation),
        cmocka_unit_test(test_work_and_edges), cmocka_unit_test(test_vital),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
