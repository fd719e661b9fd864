#!/usr/bin/env python3
"""Writes the sample logs of this folder, each in the form that its framework prints, with the traps
of that form: rows of validation, averages in brackets, rounded steps, colours, resumed runs."""
import json
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))


def put(name, text):
    with open(os.path.join(HERE, name), "w", newline="") as f:
        f.write(text)


def waits(seed, n):
    """Waits in seconds: every 4th is long."""
    r = random.Random(seed)
    return [round(r.uniform(0.6, 0.7) if i % 4 == 0 else r.uniform(0.001, 0.003), 4) for i in range(n)]


def mmengine():
    rows, w = [], waits(1, 24)
    for i, data in enumerate(w):
        step = 50 * (i + 1)
        rows.append({"lr": 0.02, "data_time": data, "loss": 1.5 - i / 50, "loss_cls": 0.7,
                     "time": round(data + 0.31, 4), "epoch": 1 + i // 12, "iter": step,
                     "memory": 9871, "step": step})
        if i % 12 == 11:
            rows.append({"coco/bbox_mAP": 0.31, "data_time": 0.9, "time": 1.2, "step": 1 + i // 12})
    rows.insert(6, dict(rows[5]))  # the same step logged again
    put("mmengine.json", "".join(json.dumps(r) + "\n" for r in rows))
    head = "2026/06/01 12:00:00 - mmengine - INFO - "
    lines = [head + "Exp name: faster-rcnn_r50_fpn_1x_coco\n"]
    for i, data in enumerate(waits(2, 20)):
        e, x = 1 + i // 10, 50 * (i % 10 + 1)
        lines.append("%sEpoch(train)  [%d][%4d/500]  lr: 2.0000e-02  eta: 0:10:00  time: %.4f  data_time: "
                     "%.4f  memory: 9871  loss: 1.2345  loss_cls: 0.7000\n" % (head, e, x, data + 0.31, data))
        if x == 500:
            lines.append("%sEpoch(val)  [%d][100/100]    coco/bbox_mAP: 0.3100  data_time: 0.9000  time: "
                         "1.2000\n" % (head, e))
    put("mmengine.log", "".join(lines))
    lines = [head + "Iter(train) [%5d/90000]  lr: 1.0e-03  eta: 1 day, 0:10:00  time: %.4f  data_time: %.4f  "
             "loss: 0.9\n" % (50 * (i + 1), d + 0.2, d) for i, d in enumerate(waits(3, 12))]
    put("mmengine_iter.log", "".join(lines))


def mmcv():
    rows = [{"env_info": "sys.platform: linux\nPython: 3.8\n", "config": "x = 1", "seed": 0}]
    text = ["2022-06-01 12:00:00,123 - mmdet - INFO - workflow: [('train', 1)], max: 2 epochs\n"]
    for i, data in enumerate(waits(4, 16)):
        e, x = 1 + i // 8, 50 * (i % 8 + 1)
        rows.append({"mode": "train", "epoch": e, "iter": x, "lr": 0.02, "memory": 3900,
                     "data_time": data, "loss": 1.1, "time": round(data + 0.3, 5)})
        text.append("2022-06-01 12:00:%02d,123 - mmdet - INFO - Epoch [%d][%d/400]\tlr: 2.000e-02, eta: 1 day, "
                    "2:03:04, time: %.3f, data_time: %.3f, memory: 3900, loss: 1.1000\n" % (i, e, x, data + 0.3, data))
        if x == 400:
            rows.append({"mode": "val", "epoch": e, "iter": 100, "lr": 0.02, "data_time": 0.8, "time": 1.0,
                         "bbox_mAP": 0.3})
            text.append("2022-06-01 12:00:59,123 - mmdet - INFO - Epoch(val) [%d][100]\tbbox_mAP: 0.3000, "
                        "data_time: 0.8000, time: 1.0000\n" % e)
    put("mmcv.log.json", "".join(json.dumps(r) + "\n" for r in rows))
    put("mmcv.log", "".join(text))


def detectron2():
    rows, text = [], ["[06/01 12:00:00 d2.engine.train_loop]: \x1b[32mStarting training from iteration 0\x1b[0m\n"]
    for i, data in enumerate(waits(5, 20)):
        it = 20 * i + 19
        row = {"data_time": data, "eta_seconds": 1000.5, "iteration": it, "lr": 0.0002,
               "rank_data_time": data / 2, "total_loss": 1.2}
        if it > 2:
            row["time"] = round(data + 0.4, 5)
        rows.append(row)
        text.append("\x1b[32m[06/01 12:00:%02d d2.utils.events]: \x1b[0m eta: 1:02:03  iter: %d  total_loss: 1.234  "
                    "loss_cls: 0.5  time: 0.5400  last_time: %.4f  data_time: 0.0900  last_data_time: %.4f   "
                    "lr: 1.9e-05  max_mem: 3000M\n" % (i, it, data + 0.4, data))
        if i == 9:
            rows.append({"bbox/AP": 31.2, "iteration": it})
            text.append("[06/01 12:00:30 d2.evaluation.evaluator]: Inference done 11/100. Dataloading: 0.0010 s/iter.\n")
    put("detectron2.json", "".join(json.dumps(r, sort_keys=True) + "\n" for r in rows))
    put("detectron2.log", "".join(text))
    put("detectron2_old.log", "".join(
        "[06/01 12:00:00 d2.utils.events]:  eta: 1:02:03  iter: %d  total_loss: 1.2  time: 0.54  data_time: %.4f  "
        "lr: 1.9e-05  max_mem: 3000M\n" % (20 * i + 19, d) for i, d in enumerate(waits(6, 12))))


def big(n):
    return "%d" % n if n < 1000 else "%.0fK" % (n / 1000)


def lerobot():
    lines, new = ["INFO 2026-06-01 12:00:00 ts/train.py:101 cfg.steps=100000 (100K)\n"], []
    for i, data in enumerate(waits(7, 24)):
        step = 200 * (i + 1)
        lines.append("%sINFO 2026-06-01 12:00:%02d ts/train.py:232 step:%s smpl:%s ep:%d epch:%.2f loss:6.100 "
                     "grdn:150.2 lr:1.0e-05 updt_s:0.210 data_s:%.3f\n"
                     % ("Training:  1%|#    | 20/1000 [00:01<01:00, 3.2step/s]" if i == 3 else "", i, big(step),
                        big(step * 8), i, i / 100, data))
        new.append("INFO 2026-06-01 12:00:%02d ot_train.py:420 step:%s smpl:%s ep:%d epch:%.2f loss:0.081 grdn:0.5 "
                   "lr:1.0e-05 updt_s:0.210 data_s:%.3f prep_s:0.004 step_s:%.3f smp/s:38\n"
                   % (i, big(step), big(step * 8), i, i / 100, data, data + 0.215))
        if i == 11:
            lines.append("INFO 2026-06-01 12:01:00 ts/train.py:280 step:%s smpl:19K ep:11 epch:0.11 sumr:0.500 "
                         "success:50.0% eval_s:33.100\n".replace("50.0%", "50.0%%") % big(step))
    put("lerobot.log", "".join(lines))
    put("lerobot_new.log", "".join(new))


def vision():
    timm, imagenet, logger = [], [], ["Creating data loaders\n"]
    mean = 0.0
    for i, data in enumerate(waits(8, 26)):
        e, x = divmod(i, 13)
        mean = (mean * i + data) / (i + 1)
        timm.append("Train: %d [%4d/601 (%3.0f%%)]  Loss: 6.93 (6.94)  Time: %.3fs,  526.75/s  (%.3fs,  389.00/s)  "
                    "LR: 1.000e-06  Data: %.3f (%.3f)\n" % (e, 50 * x, x / 0.13, data + 0.2, mean + 0.2, data, mean))
        imagenet.append("Epoch: [%d][%5d/131]\tTime %6.3f (%6.3f)\tData %6.3f (%6.3f)\tLoss 6.9e+00 (7.0e+00)\tAcc@1 "
                        "  0.00 (  0.10)\n" % (e, 10 * x + 1, data + 0.2, mean + 0.2, data, mean))
        logger.append("Epoch: [%d]  [%4d/131]  eta: 0:01:00  lr: 0.01  img/s: 120.1  loss: 6.9 (6.9)  acc1: 0.0 (0.1)  "
                      "time: %.4f  data: %.4f  max mem: 9000\n" % (e, 10 * x, data + 0.2, data))
        if x == 12:
            timm.append("Test: [   0/97]  Time: 3.123 (3.123)  Loss:   0.9 (0.9)  Acc@1:  80.0 ( 80.0)\n")
            imagenet.append("Test: [  1/98]\tTime  3.123 ( 3.123)\tLoss 6.9 (6.9)\tAcc@1   0.00 (  0.00)\n")
            logger.append("Epoch: [%d] Total time: 0:01:00\n" % e)
            logger.append("Test:  [  0/98]  eta: 0:01:00  loss: 6.9 (6.9)  time: 1.2  data: 0.9  max mem: 9000\n")
    put("timm.log", "".join(timm))
    put("imagenet.log", "".join(imagenet))
    put("metric_logger.log", "".join(logger))


def tables():
    light = ["epoch,step,train_loss_step,data_time_step,train_loss_epoch,val_loss\n"]
    chart = ['"Step","run-1 - perf/data_s","run-1 - perf/data_s__MIN","run-1 - perf/data_s__MAX"\n']
    api = [",_step,_runtime,_timestamp,perf/data_s,loss\n"]
    board = ["Wall time,Step,Value\n"]
    for i, data in enumerate(waits(9, 16)):
        step = 50 * i + 49
        light.append("%d,%d,1.5,%.4f,,\n" % (i // 8, step, data))
        if i % 8 == 7:
            light.append("%d,%d,,,1.4,\n%d,%d,,,,1.2\n" % (i // 8, step, i // 8, step))
        chart.append('"%d","%.4f","0.0001","0.9"\n' % (step, data))
        api.append("%d,%d,%.2f,1790000000.%d,%.4f,1.5\n" % (i, step, i * 3.5, i, data))
        board.append("1790000000.%d,%d,%.4f\n" % (i, step, data))
    put("lightning.csv", "".join(light))
    put("wandb_chart.csv", "".join(chart))
    put("wandb_api.csv", "".join(api))
    put("tensorboard.csv", "".join(board))
    put("plain.log", "".join(
        "2026-06-01 12:00:%02d,123 INFO train step=%d loss=0.5%s wait_ms=%.3f step_ms=%.3f\r\n"
        % (i, i, "" if i != 5 else " note: resumed", 1000 * d, 1000 * d + 40) for i, d in enumerate(waits(10, 32))))
    put("resumed.log", "".join(
        "step: %d wait_ms: %.3f\n" % (s, 1000 * d) for s, d in zip([*range(20), *range(12, 32)], waits(11, 40))))


for make in (mmengine, mmcv, detectron2, lerobot, vision, tables):
    make()
