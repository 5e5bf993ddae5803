// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Errors of Python, its packages and the hardware below them, with the cause that a person would name.
class TstWhyPython : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void python_data();
    void python() { check(); }
    void hardware_data();
    void hardware() { check(); }
};

void TstWhyPython::python_data()
{
    columns();
    row("an error of the program", 1,
        "epoch 1\n" + traceback({"/w/train.py:30:<module>", "/w/data.py:12:load"}, "KeyError: 'lr'"), "user-code-error",
        "KeyError: 'lr'", "data.py:12");
    row("a variable of the environment", 1,
        traceback({"/w/train.py:3:<module>", "<frozen os>:714:__getitem__"}, "KeyError: 'WANDB_API_KEY'"),
        "environment-missing", "KeyError: 'WANDB_API_KEY'", "train.py:3");
    row("the same of an older Python", 1,
        traceback({"/w/train.py:3:<module>", "/usr/lib/python3.10/os.py:680:__getitem__"}, "KeyError: 'DATA'"),
        "environment-missing", "KeyError: 'DATA'", "train.py:3");
    row("a variable that python-decouple wants", 1,
        traceback({"/w/train.py:3:<module>"},
            "decouple.UndefinedValueError: DATA_DIR not found. Declare it as envvar or define a default value."),
        "environment-missing", "DATA_DIR not found", "train.py:3");
    row("input that nobody gives", 1, traceback({"/w/train.py:3:<module>"}, "EOFError: EOF when reading a line"),
        "no-input", "EOF when reading a line", "train.py:3");
    row("below a package", 1,
        traceback({"/w/train.py:30:<module>", torchLib + "nn/modules/module.py:1511:_call_impl"},
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 256x10)"),
        "shape-mismatch", "32x512 and 256x10", "train.py:30");
    row("behind a progress bar", 1,
        "  3%|3         | 12/400 [00:03<01:40]\r  4%|4  | 13/400 [00:04<01:39]"
            + traceback({"run.py:5:<module>"}, "ValueError: bad split"),
        "user-code-error", "bad split", "run.py:5");
    row("cut off at the start", 1,
        "    return f(x)\n  File \"/w/model.py\", line 44, in forward\n    return self.a + b\n"
        "RuntimeError: The size of tensor a (77) must match the size of tensor b (64) at non-singleton dimension 1\n",
        "shape-mismatch", "tensor a (77)", "model.py:44");
    row("state dict", 1,
        traceback({"/w/eval.py:9:<module>", torchLib + "nn/modules/module.py:2189:load_state_dict:raise RuntimeError("},
            "RuntimeError: Error(s) in loading state_dict for Net:\n\tsize mismatch for head.weight: copying a param "
            "with "
            "shape torch.Size([10, 64]) from checkpoint, the shape in current model is torch.Size([7, 64])."),
        "checkpoint-mismatch", "Error(s) in loading state_dict", "eval.py:9");
    row("syntax", 1, "  File \"/w/train.py\", line 12\n    def f(:\n          ^\nSyntaxError: invalid syntax\n",
        "syntax-error", "SyntaxError", "train.py:12");
    row("module", 1, traceback({"/w/train.py:3:<module>"}, "ModuleNotFoundError: No module named 'einops'"),
        "module-missing", "einops", "train.py:3");
    row("name from module", 1,
        traceback(
            {"/w/train.py:3:<module>"}, "ImportError: cannot import name 'AdamW' from 'transformers' (/opt/env/x.py)"),
        "import-error", "AdamW", "train.py:3");
    row("shapes of Keras", 1,
        traceback({"/w/a.py:3:<module>"}, "ValueError: Shapes (32, 1) and (32, 10) are incompatible"), "shape-mismatch",
        "(32, 1)", "a.py:3");
    row("shapes of a product", 1,
        traceback({"/w/a.py:3:<module>"},
            "tensorflow.python.framework.errors_impl.InvalidArgumentError: 2 root error(s) found.\n"
            "  (0) Invalid argument:  In[0] mismatch In[1] shape: 8 vs. 20: [4,8] [20,2] 0 0\n"
            "\t [[node model/dense/MatMul (defined at a.py:3) ]]"),
        "shape-mismatch", "InvalidArgumentError", "a.py:3");
    row("shapes of a sum", 1,
        traceback({"/w/a.py:3:<module>"},
            "tensorflow.python.framework.errors_impl.InvalidArgumentError: Inputs to operation g/AddN_1 of type AddN "
            "must "
            "have the same size and shape.  Input 0: [64] != input 1: [8,4,2]"),
        "shape-mismatch", "[8,4,2]", "a.py:3");
    row("a size that is not the expected one", 1,
        traceback(
            {"/w/a.py:3:<module>"}, "RuntimeError: input.size(-1) must be equal to input_size. Expected 10, got 20"),
        "shape-mismatch", "Expected 10", "a.py:3");
    row("an argument that is not the expected one", 1,
        traceback({"/w/a.py:3:<module>"}, "TypeError: run() expected 2 arguments, got 3"), "user-code-error", "got 3",
        "a.py:3");
    row("data that are not finite", 1, traceback({"/w/a.py:3:<module>"}, "ValueError: Input X contains NaN."),
        "data-not-finite", "contains NaN", "a.py:3");
    row("a process that was killed", 1,
        traceback({"/w/a.py:3:<module>", torchLib + "multiprocessing/spawn.py:140:join"},
            "torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGKILL"),
        "killed", "SIGKILL", "a.py:3");
    row("modules that import each other", 1,
        traceback({"/w/a.py:1:<module>", "/w/b.py:1:<module>"},
            "ImportError: cannot import name 'f' from partially initialized module 'a' (most likely due to a circular "
            "import)"),
        "import-error", "circular import", "b.py:1");
    row("file", 1,
        traceback(
            {"/w/train.py:3:<module>"}, "FileNotFoundError: [Errno 2] No such file or directory: '/data/train.json'"),
        "file-missing", "/data/train.json", "train.py:3");
    row("permission", 1,
        traceback({"/w/train.py:3:<module>"}, "PermissionError: [Errno 13] Permission denied: '/out/a'"),
        "permission-denied", "/out/a", "train.py:3");
    row("numpy's memory", 1,
        traceback({"/w/prep.py:3:<module>"},
            "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array with shape (100000, "
            "100000) "
            "and data type float64"),
        "host-oom", "74.5 GiB", "prep.py:3");
    row("json", 1,
        traceback(
            {"/w/a.py:3:<module>", "/usr/lib/python3.12/json/decoder.py:355:raw_decode:raise JSONDecodeError(\"x\")"},
            "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
        "data-format", "Expecting value", "a.py:3");
    row("assertion without words", 1, traceback({"/w/a.py:3:<module>"}, "AssertionError"), "user-code-error",
        "AssertionError", "a.py:3");
    row("class of a package", 1, traceback({"/w/a.py:3:<module>"}, "lightning.fabric.Strange: no"), "user-code-error",
        "Strange", "a.py:3");
    row("an argument parser", 2, "usage: t.py [-h] [--lr LR]\nt.py: error: argument --lr: invalid float value: 'big'\n",
        "bad-arguments", "--lr");
    row("click", 2, "Usage: t.py [OPTIONS]\nTry 't.py --help' for help.\n\nError: No such option: --bach-size\n",
        "bad-arguments", "--bach-size");
    row("hydra", 1,
        "Could not override 'model.depht'.\nTo append to your config use +model.depht=3\nKey 'depht' is not in struct\n"
        "    full_key: model.depht\n    object_type=dict\n\nSet the environment variable HYDRA_FULL_ERROR=1 for a "
        "complete "
        "stack trace.\n",
        "config-error", "model.depht");
    row("a program that Python starts", 1,
        traceback(
            {"/w/a.py:4:<module>", "/usr/lib/python3.10/subprocess.py:1863:_execute_child:raise child_exception_type("},
            "FileNotFoundError: [Errno 2] No such file or directory: 'ffmpeg'"),
        "command-missing", "ffmpeg", "a.py:4");
    row("a message between rules", 1,
        traceback({"/w/a.py:4:<module>"},
            "LookupError: \n**********\n  Resource punkt not found.\n  Please use the NLTK Downloader to obtain the "
            "resource:"),
        "file-missing", "Resource punkt", "a.py:4");
    row("a display", 1,
        traceback({"/w/a.py:4:<module>"}, "_tkinter.TclError: no display name and no $DISPLAY environment variable"),
        "no-display", "DISPLAY", "a.py:4");
    row("a lock", 1,
        traceback({"/w/d.py:8:<module>", "/opt/e/lib/python3.10/site-packages/h5py/_hl/files.py:561:__init__"},
            "BlockingIOError: [Errno 11] Unable to open file (unable to lock file, errno = 11, error message = "
            "'Resource "
            "temporarily unavailable')"),
        "file-locked", "unable to lock file", "d.py:8");
    row("room for the cache of a server", 1,
        traceback({"/opt/v/lib/python3.12/site-packages/vllm/engine.py:57:run"},
            "ValueError: max seq len (131072): 16.00 GiB KV cache is needed, which is larger than the available KV "
            "cache "
            "memory (7.12 GiB)."),
        "gpu-oom", "KV cache");
    row("what a spawned process cannot read", 1,
        traceback({"/w/run.py:40:<module>", "/usr/lib/python3.10/multiprocessing/reduction.py:60:dump"},
            "AttributeError: Can't pickle local object 'make.<locals>.<lambda>'")
            + traceback({"<string>:1:<module>", "/usr/lib/python3.10/multiprocessing/spawn.py:126:_main"},
                "EOFError: Ran out of input"),
        "user-code-error", "Can't pickle", "run.py:40");
    row("diverged in other words", 1,
        traceback({"/w/tr.py:9:<module>"}, "FloatingPointError: Loss became infinite or NaN at iteration=121!"),
        "diverged", "infinite or NaN", "tr.py:9");
    row("diverged in the words of the program", 1, traceback({"/w/tr.py:9:<module>"}, "ValueError: loss is NaN"),
        "diverged", "loss is NaN", "tr.py:9");
    row("diverged, spelled otherwise", 1, "step 10 loss 3.1\nLoss is NaN, stopping\n", "diverged", "Loss is NaN");
    row("diverged, became", 1, "step 10 loss 3.1\ntrain loss became inf at step 11\n", "diverged", "became inf");
    row("diverged, where", 1, "step 10 loss 3.1\nNaN detected in the gradients\n", "diverged", "NaN detected");
    row("diverged, so called", 1, "step 10 loss 3.1\nTraining diverged\n", "diverged", "Training diverged");
    row("exploded", 1, "step 10 loss 3.1\nGRADIENTS EXPLODED: 1e12\n", "diverged", "EXPLODED");
    row("the first best value", 1, "val_loss improved from inf to 0.5\n", "program-error", "from inf");
    row("diverged", 1, "step 10 loss 3.1\nLoss is nan, stopping training\n", "diverged", "Loss is nan");
    row("gated", 1,
        traceback({"/w/a.py:3:<module>", "/opt/env/lib/python3.11/site-packages/huggingface_hub/x.py:9:f:raise x"},
            "huggingface_hub.errors.GatedRepoError: 401 Client Error. (Request ID: Root=1-2)")
            + direct
            + traceback(
                {"/w/a.py:3:<module>", "/opt/env/lib/python3.11/site-packages/transformers/hub.py:9:f:raise OSError("},
                "OSError: You are trying to access a gated repo.\nMake sure to have access to it."),
        "hub-auth", "GatedRepoError", "a.py:3");
    row("IPython", 1,
        "---------------------------------------------------------------------------\nModuleNotFoundError              "
        "         "
        "Traceback (most recent call last)\nFile ~/proj/nb.py:3, in <module>\n      1 import os\n----> 3 import "
        "seaborn\n\n"
        "ModuleNotFoundError: No module named 'seaborn'\n",
        "module-missing", "No module named", "nb.py:3");
    row("a frame of rich", 1,
        "╭───────── Traceback (most recent call last) ─────────╮\n│ /w/t.py:40 in <module>                             "
        " │\n"
        "│ ❱ 40 main()                                         │\n│ /w/t.py:12 in main                                 "
        " │\n"
        "╰─────────────────────────────────────────────────────╯\nValueError: bad thing\n",
        "user-code-error", "bad thing", "t.py:12");
    row("loguru", 1,
        "2026-01-01 00:00:00.000 | ERROR    | __main__:<module>:40 - An error has been caught:\nTraceback (most recent "
        "call "
        "last):\n\n> File \"/w/t.py\", line 40, in <module>\n    main()\n    └ <function main at 0x7>\n\n  File "
        "\"/w/t.py\", line "
        "12, in main\n    raise ValueError('bad thing')\n\nValueError: bad thing\n",
        "user-code-error", "bad thing", "t.py:12");
    row("what stands behind the traceback", 1,
        traceback({"/w/k.py:44:<module>", "/opt/env/lib/python3.11/site-packages/keras/t.py:70:error_handler:raise e"},
            "tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:")
            + "\nDetected at node 'conv' defined at (most recent call last):\nOOM when allocating tensor with "
              "shape[64,512,112,112] "
              "and type float on GPU:0 by allocator GPU_0_bfc\n",
        "gpu-oom", "OOM when allocating", "k.py:44");
    row("a connection that broke", 1,
        traceback({"/w/a.py:3:<module>"},
            "requests.exceptions.SSLError: HTTPSConnectionPool(host='h', port=443): Max retries exceeded "
            "(Caused by SSLError(SSLEOFError(8, '[SSL: UNEXPECTED_EOF_WHILE_READING] EOF occurred')))"),
        "tls-failed", "SSLEOFError", "a.py:3");
    row("device", 1,
        traceback({"/w/a.py:3:<module>"},
            "RuntimeError: Expected all tensors to be on the same device, but found at least two "
            "devices, cuda:1 and cpu!"),
        "device-mismatch", "cuda:1", "a.py:3");
}

void TstWhyPython::hardware_data()
{
    columns();
    const auto error = [](const QByteArray &said) { return traceback({"/w/a.py:3:<module>"}, said); };
    row("old driver", 1,
        error("RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update "
              "your GPU driver"),
        "driver-too-old", "11040", "a.py:3");
    row("driver and library", 1,
        "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.54\n", "driver-mismatch",
        "mismatch");
    row("cuDNN", 1,
        "Loaded runtime CuDNN library: 8.0.5 but source was compiled with: 8.1.0.  CuDNN library needs to have "
        "matching "
        "major version\n"
            + error("tensorflow.python.framework.errors_impl.UnknownError: Failed to get convolution algorithm."),
        "user-code-error", "convolution algorithm", "a.py:3");
    row("toolkit", 1,
        error("RuntimeError: \nThe detected CUDA version (12.4) mismatches the version that was used to compile\n"
              "PyTorch (11.8). Please make sure to use the same CUDA versions."),
        "cuda-toolkit", "detected CUDA version", "a.py:3");
    row("no GPU", 1, error("RuntimeError: No CUDA GPUs are available"), "no-gpu", "No CUDA GPUs", "a.py:3");
    row("a device that is not there", 1,
        error("RuntimeError: CUDA error: invalid device ordinal\nCUDA kernel errors might be "
              "asynchronously reported at some other API call"),
        "invalid-gpu", "ordinal", "a.py:3");
    row("architecture", 1, error("RuntimeError: CUDA error: no kernel image is available for execution on the device"),
        "kernel-image", "kernel image", "a.py:3");
    row("assert", 1,
        "/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward: block: [0,0,0], thread: [3,0,0] Assertion "
        "`t "
        ">= 0 && t < n_classes` failed.\n"
            + error("RuntimeError: CUDA error: device-side assert triggered"),
        "device-assert", "device-side", "a.py:3");
    row("descriptors", 1, error("OSError: [Errno 24] Too many open files: '/data/3.bin'"), "too-many-open-files",
        "Errno 24", "a.py:3");
    row("shared memory", 1,
        "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).\n"
            + error("RuntimeError: DataLoader worker (pid 99) is killed by signal: Bus error. It is possible that "
                    "dataloader's "
                    "workers are out of shared memory. Please try to raise your shared memory limit."),
        "shared-memory", "DataLoader worker", "a.py:3");
    row("quota", 1, error("OSError: [Errno 122] Disk quota exceeded"), "quota-exceeded", "quota", "a.py:3");
    row("Paddle", 1,
        error("MemoryError: ")
            + "\n------\nError Message Summary:\n------\nResourceExhaustedError: \n\nOut of memory error on GPU 0. "
              "Cannot allocate "
              "512.000000MB memory on GPU 0, 31.500000GB memory has been allocated.\n",
        "gpu-oom", "Out of memory error on GPU", "a.py:3");
    row("JAX without its cuDNN", 1,
        "E external/xla/cuda_dnn.cc:427] Loaded runtime CuDNN library: 8.6.0 but source was compiled with: 8.9.4.  "
        "CuDNN library "
        "needs to have a matching major version.\n"
            + error("jaxlib.xla_extension.XlaRuntimeError: FAILED_PRECONDITION: DNN library initialization failed. "
                    "Look at the "
                    "errors above for more details."),
        "cudnn-mismatch", "CuDNN library", "a.py:3");
    row("JAX", 1,
        error("jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate "
              "8589934592 bytes."),
        "gpu-oom", "RESOURCE_EXHAUSTED", "a.py:3");
    row("threads", 1, error("RuntimeError: can't start new thread"), "process-limit", "thread", "a.py:3");
    row("certificate", 1,
        error("requests.exceptions.SSLError: HTTPSConnectionPool(host='h.example', port=443): Max retries exceeded "
              "with url: /x (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] "
              "certificate verify failed: self-signed certificate')))"),
        "ssl-verify", "CERTIFICATE", "a.py:3");
    row("port", 1, error("OSError: [Errno 98] Address already in use"), "port-in-use", "Errno 98", "a.py:3");
    row("rendezvous", 1,
        error("torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined."),
        "rendezvous-timeout", "1/2 clients", "a.py:3");
}

TRAINYARD_TEST(TstWhyPython)
#include "tst_whypython.moc"
