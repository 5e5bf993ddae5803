// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/vocabulary.h"

namespace trainyard::metrics
{

const WordSet metricWords{"loss", "losses", "acc", "accuracy", "accuracies", "recall", "fscore", "auc", "auroc",
    "auprc", "aupr", "prauc", "rocauc", "ap", "map", "mar", "iou", "miou", "giou", "ciou", "dice", "jaccard", "psnr",
    "ssim", "lpips", "fid", "kid", "fvd", "bleu", "sacrebleu", "rouge", "rougel", "rougelsum", "meteor", "cider",
    "spice", "chrf", "wer", "cer", "ppl", "perplexity", "bpb", "bpc", "bpd", "bpp", "mapk", "nll", "xent", "bce", "mse",
    "rmse", "mae", "mape", "rmsle", "smape", "logloss", "reward", "rewards", "return", "returns", "elbo", "kl", "kld",
    "mcc", "kappa", "pearson", "spearman", "ndcg", "mrr", "eer", "mpjpe", "epe", "rmsd", "ade", "fde", "chamfer",
    "inertia", "crossentropy", "entropy", "likelihood", "regret", "silhouette", "nmi", "ari", "gnorm", "rew", "dsc",
    "hausdorff", "sdr", "sisnr", "stoi", "pesq", "top", "prec", "precision", "fitness", "msssim", "prd", "error", "err",
    "score", "scores", "cost", "objective", "obj", "merror", "energy", "residual", "mlogloss", "smoothl", "residuals",
    "divergence", "hr", "objf", "ece", "brier", "crps", "mase", "wape", "nrmse", "deviance", "tpr", "hmean", "fpr",
    "lddt", "plddt", "ll", "mr", "meanrank", "iu", "meaniu", "miu", "eprew", "epret", "meanreward", "avgreward",
    "verlust", "genauigkeit", "prazision", "sensitivity", "specificity", "gmean", "exploitability", "nashconv", "tnr",
    "fnr", "msle", "mmd", "wasserstein", "correlation", "concordance", "plcc", "srcc", "srocc", "mota", "motp", "hota",
    "ber", "perte", "perplexite", "perplejidad", "perplexidade", "perdida", "perda", "perdita", "exactitude",
    "exactitud", "acuracia", "accuratezza", "precisao", "recompensa", "ricompensa", "erreur", "errore", "accu", "oacc",
    "macc", "minp"};
const WordSet faintWords{"error", "err", "score", "scores", "cost", "objective", "obj", "energy", "precision", "map",
    "return", "returns", "ll", "mr", "iu", "top", "prec", "ap", "ari", "hr", "residual", "residuals", "mar", "ade",
    "kid", "erreur", "errore", "spice"};
const WordSet settingWords{"lr", "rate", "weight", "weights", "coef", "coeff", "coefficient", "threshold", "thresholds",
    "thresh", "thr", "target", "min", "max", "factor", "smoothing", "lambda", "alpha", "beta", "gamma", "eps",
    "epsilon", "limit", "margin", "interval", "freq", "frequency", "warmup", "type", "func", "fn", "name", "penalty",
    "ratio", "momentum", "decay", "wd", "dropout", "temperature", "tau", "clip", "clipping", "initial", "init", "tol",
    "tolerance", "bound", "cap", "reg", "regularization", "initializer", "default", "every", "bias", "discount", "mult",
    "multiplier", "minimum", "maximum", "label", "labels", "start", "power", "window", "policy", "prob", "cutoff",
    "kernel", "reduction", "schedule"};
const WordSet aimWords{"target", "min", "max", "minimum", "maximum", "threshold", "initial", "default", "smoothing"};
const WordSet timeWords{"time", "times", "timer", "elapsed", "duration", "runtime", "dur", "sec", "secs", "second",
    "seconds", "ms", "msec", "minutes", "hours", "wall", "walltime", "elapsedtime", "latency", "timestamp", "date",
    "eta", "clock", "uptime", "timing", "hrs"};
const WordSet neverWords{"mem", "memory", "gpumem", "cpumem", "maxmem", "vram", "rss", "ram", "best", "bestloss",
    "highest", "lowest", "skipped", "flos", "flop", "flops", "tflops", "gflops", "mfu", "hfu", "version", "seed",
    "port", "pid", "better", "patience", "counter", "reserved", "allocated", "memallocated", "maxmemallocated", "scale",
    "scaler", "params", "parameters", "exit", "errno", "improved", "increased", "decreased", "maintenance", "previous",
    "kimg", "lod", "machine", "gb", "gib", "mb", "mib", "packet", "packets", "fatal", "http", "https", "smtp", "dkim",
    "seek"};
const WordSet countWords{"num", "number", "count", "counts", "total", "size", "bytes", "id", "ids", "rank", "samples",
    "example", "examples", "tokens", "images", "epochs", "steps", "iterations", "workers", "threads", "gpu", "gpus",
    "cpu", "cpus", "device", "devices", "world", "bsz", "wpb", "updates", "shape", "dim", "layers", "hidden", "line",
    "code", "status", "instances", "points", "support", "class", "category", "util", "usage", "fan", "percent",
    "episodes", "timesteps", "nnzs", "data", "progress", "batches", "iters", "width", "height", "dims", "interacts",
    "interactions", "capacity", "targets"};
const WordSet rateWords{"error", "err", "success", "win", "solve", "pass", "failure", "collision", "recognition"};
const WordSet partWords{"learn", "test", "train", "valid", "val", "validation", "eval", "avg", "dev", "training",
    "testing", "evaluation", "validating", "evaluating", "vali"};
const WordSet strongWords{"loss", "losses", "acc", "accuracy", "auc", "reward", "rewards", "perplexity", "ppl", "mse",
    "mae", "rmse", "dice", "iou", "rew"};
const WordSet evaluationWords{"val", "valid", "validation", "test", "eval", "evaluation", "dev", "validating",
    "evaluating", "testing", "validate", "evaluate", "vali", "cv", "validacion", "validacao", "validazione"};

bool isMetricWord(std::string_view word)
{
    // German writes "validation loss" as one word.
    return metricWords.contains(word) || (word.size() > 4 && word.ends_with("loss")) || word.ends_with("verlust")
        || word.ends_with("genauigkeit");
}

} // namespace trainyard::metrics
