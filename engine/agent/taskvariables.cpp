// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/taskvariables.h"

#include <algorithm>
#include <cctype>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t longestValue = 4096;

constexpr std::string_view shownNames[] = {"PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LIBRARY_PATH", "CPATH", "HOME",
    "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM", "VIRTUAL_ENV", "MASTER_ADDR", "MASTER_PORT",
    "RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "NODE_RANK", "HF_HOME", "HF_HUB_OFFLINE",
    "TRANSFORMERS_CACHE", "TOKENIZERS_PARALLELISM", "WANDB_MODE", "WANDB_PROJECT", "WANDB_DIR", "XDG_CACHE_HOME"};
constexpr std::string_view shownBeginnings[] = {"PAI_", "TRAINYARD_", "CUDA_", "NVIDIA_", "NCCL_", "ROCR_", "HIP_",
    "HSA_", "MIOPEN_", "RCCL_", "OMP_", "KMP_", "MKL_", "OPENBLAS_", "GOMP_", "PYTHON", "CONDA_", "MAMBA_", "PYENV_",
    "TORCH", "PYTORCH_", "TF_", "XLA_", "JAX_", "KERAS_", "ACCELERATE_", "DEEPSPEED_", "HOROVOD_", "GLOO_", "UCX_",
    "LC_", "SLURM_", "OMPI_", "MODULE", "LMOD_"};

std::string upper(std::string_view name)
{
    std::string text(name);
    std::transform(
        text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

// scheme://user:password@host has the user only.
std::string withoutPasswords(std::string_view value)
{
    std::string out;
    for (std::size_t at = 0; at < value.size();) {
        const std::size_t scheme = value.find("://", at);
        if (scheme == std::string_view::npos) {
            return out.append(value.substr(at));
        }
        const std::size_t begin = scheme + 3;
        const std::size_t end = std::min(value.find_first_of("/ \t\n,;\"'", begin), value.size());
        const std::size_t sign = value.substr(begin, end - begin).rfind('@');
        const std::size_t colon = sign == std::string_view::npos ? sign : value.substr(begin, sign).find(':');
        if (colon == std::string_view::npos) {
            out.append(value.substr(at, end - at));
        } else {
            out.append(value.substr(at, begin + colon + 1 - at)).append(hiddenValue);
            out.append(value.substr(begin + sign, end - begin - sign));
        }
        at = end;
    }
    return out;
}

} // namespace

bool isShownVariable(std::string_view name)
{
    return std::find(std::begin(shownNames), std::end(shownNames), name) != std::end(shownNames)
        || std::any_of(std::begin(shownBeginnings), std::end(shownBeginnings),
            [name](std::string_view beginning) { return name.starts_with(beginning); });
}

bool isSecretVariable(std::string_view name)
{
    const std::string text = upper(name);
    constexpr std::string_view signs[]
        = {"TOKEN", "SECRET", "PASSW", "CREDENTIAL", "APIKEY", "API_KEY", "ACCESS_KEY", "PRIVATE", "COOKIE", "AUTH"};
    const bool named = std::any_of(std::begin(signs), std::end(signs),
        [&text](std::string_view sign) { return text.find(sign) != std::string::npos; });
    return (named && text.find("TOKENIZER") == std::string::npos) || text.ends_with("_KEY") || text.ends_with("_PWD")
        || text.ends_with("_PASS");
}

std::string shownValue(std::string_view name, std::string_view value)
{
    if (value.empty()) {
        return {};
    }
    if (isSecretVariable(name)) {
        return hiddenValue;
    }
    std::string text = withoutPasswords(value);
    if (text.size() > longestValue) {
        text.resize(longestValue);
        text += "...";
    }
    return text;
}

std::string valueOf(const std::vector<std::string> &environment, std::string_view name)
{
    std::string found;
    for (const std::string &entry : environment) {
        if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name)) {
            found = entry.substr(name.size() + 1);
        }
    }
    return found;
}

} // namespace trainyard::agent
