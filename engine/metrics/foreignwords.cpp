// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/foreignwords.h"

#include "engine/metrics/words.h"

#include <array>

namespace trainyard::metrics
{

namespace
{

// Of words with the same beginning, the longest comes first.
constexpr std::array<ForeignWord, 61> foreignWords{{
    // Chinese
    {"损失", "loss"},
    {"损耗", "loss"},
    {"准确率", "accuracy"},
    {"正确率", "accuracy"},
    {"精确率", "precision"},
    {"精度", "accuracy"}, // Japanese, too
    {"召回率", "recall"},
    {"困惑度", "perplexity"},
    {"奖励", "reward"},
    {"误差", "error"},
    {"得分", "score"},
    {"学习率", "lr"},
    {"训练", "train"},
    {"验证", "val"},
    {"测试", "test"},
    {"平均", "avg"},
    {"最佳", "best"},
    {"最好", "best"},
    {"最高", "best"},
    {"最低", "best"},
    {"样本", "samples"},
    {"剩余", "remaining"},
    {"耗时", "time"},
    {"用时", "time"},
    {"时间", "time"},
    {"轮次", "epoch", true},
    {"轮", "epoch", true},
    {"迭代次数", "iteration", true},
    {"次迭代", "iteration", true},
    {"迭代", "iteration", true},
    {"步数", "step", true},
    {"步", "step", true},
    {"回合", "episode", true},
    {"批次", "batch", true},
    // Japanese
    {"損失", "loss"},
    {"正解率", "accuracy"},
    {"学習率", "lr"},
    {"検証", "val"},
    {"エポック", "epoch", true},
    {"ステップ", "step", true},
    // Korean
    {"손실", "loss"},
    {"정확도", "accuracy"},
    {"검증", "val"},
    {"에포크", "epoch", true},
    {"스텝", "step", true},
    // Russian: small and capital, without endings that differ
    {"эпоха", "epoch", true},
    {"Эпоха", "epoch", true},
    {"шаг", "step", true},
    {"Шаг", "step", true},
    {"итерация", "iteration", true},
    {"Итерация", "iteration", true},
    {"потер", "loss"},
    {"Потер", "loss"},
    {"точность", "accuracy"},
    {"Точность", "accuracy"},
    {"ошибка", "error"},
    {"Ошибка", "error"},
    {"награда", "reward"},
    {"Награда", "reward"},
    {"валидаци", "val"},
    {"Валидаци", "val"},
}};

constexpr std::string_view ordinal = "第"; // in front of a count
constexpr std::string_view completed = "完成"; // in front of it

// Behind "3", "3/10" and "3 / 10"
std::size_t endOfCount(std::string_view line, std::size_t begin)
{
    const std::size_t end = digitsEnd(line, begin);
    const std::size_t slash = skipBlanks(line, end);
    const std::size_t total = skipBlanks(line, slash + 1);
    return end > begin && at(line, slash) == '/' && isDigit(at(line, total)) ? digitsEnd(line, total) : end;
}

constexpr bool isForeign(char c) { return static_cast<unsigned char>(c) >= 0x80; }

} // namespace

const ForeignWord *foreignWordAt(std::string_view text, std::size_t i)
{
    if (!beginsForeign(at(text, i))) {
        return nullptr;
    }
    for (const ForeignWord &known : foreignWords) {
        if (text[i] == known.word.front() && text.substr(i).starts_with(known.word)) {
            return &known;
        }
    }
    return nullptr;
}

std::string withoutAccents(std::string_view text)
{
    // The letters from U+00C0 on, which UTF-8 writes as two bytes with the same first one.
    constexpr std::string_view letters = "AAAAAAACEEEEIIIIDNOOOOO*OUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty";
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto next = static_cast<unsigned char>(at(text, i + 1));
        constexpr unsigned char first = 0x80, last = 0xBF;
        if (text[i] == '\xC3' && next >= first && next <= last) {
            result += letters[next - first];
            ++i;
        } else {
            result += text[i] == '\xC3' ? '?' : text[i]; // half a letter: none is left in the result
        }
    }
    return result;
}

std::optional<std::string> withKnownCounts(std::string_view line)
{
    std::string result;
    bool hasCounts = false;
    for (std::size_t i = 0; i < line.size();) {
        if (!isForeign(line[i])) {
            result += line[i++];
            continue;
        }
        if (i == 0 && line.starts_with(completed) && line.substr(completed.size()).starts_with(ordinal)) {
            i = completed.size();
        }
        if (line.substr(i).starts_with(ordinal)) {
            const std::size_t begin = skipBlanks(line, i + ordinal.size()), end = endOfCount(line, begin);
            const std::size_t behind = skipBlanks(line, end);
            if (const ForeignWord *word = end > begin ? foreignWordAt(line, behind) : nullptr; word && word->isStep) {
                hasCounts = true;
                result += std::string(word->meaning) + ' ' + std::string(line.substr(begin, end - begin));
                i = behind + word->word.size();
                result += isForeign(at(line, i)) ? " " : "";
                continue;
            }
        }
        // "轮次: 3", not as the end of another word
        const ForeignWord *word = i == 0 || !isForeign(line[i - 1]) ? foreignWordAt(line, i) : nullptr;
        if (word && word->isStep) {
            std::size_t count = skipBlanks(line, i + word->word.size());
            count = at(line, count) == ':' || at(line, count) == '=' || at(line, count) == '['
                ? skipBlanks(line, count + 1)
                : count;
            if (isDigit(at(line, count))) {
                hasCounts = true;
                result += word->meaning;
                result += count == i + word->word.size() ? " " : "";
                i += word->word.size();
                continue;
            }
        }
        do {
            result += line[i++];
        } while (i < line.size() && (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U); // one character
    }
    return hasCounts ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace trainyard::metrics
