// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"
#include "engine/metrics/words.h"

#include <string_view>

// Shared by the files that read a line in words; others use readText() of textline.h.
namespace trainyard::metrics
{

constexpr bool isQuote(char c) { return c == '\'' || c == '"'; }

// Where a number may begin: not inside a word such as "mAP50" or "v1.2".
constexpr bool mayStart(std::string_view text, std::size_t i)
{
    if (i == 0) {
        return true;
    }
    switch (text[i - 1]) {
    case ' ':
    case '\t':
    case '=':
    case ':':
    case '(':
    case '[':
    case '{':
    case '|':
    case ',':
    case ';':
    case '#':
    case '>':
    case '~':
    case '@':
        return true;
    default:
        return isQuote(text[i - 1]) || static_cast<unsigned char>(text[i - 1]) >= 0x80;
    }
}

constexpr bool beginsNumber(std::string_view text, std::size_t i)
{
    const char c = text[i];
    if (isDigit(c)) {
        return true;
    }
    if (c == '.') {
        return isDigit(at(text, i + 1));
    }
    if (c == '-' || c == '+') {
        return isDigit(at(text, i + 1)) || (at(text, i + 1) == '.' && isDigit(at(text, i + 2)));
    }
    return false;
}

// Whether one class of many follows: "* class [14]"
inline bool namesClass(std::string_view name)
{
    const std::string last = lowered(name.substr(name.find_last_of(' ') + 1));
    return last == "class" || last == "category" || last == "cls";
}

// "3d_train", "pose_val": which part of the data something unknown was measured on
inline bool endsWithPart(std::string_view name)
{
    const std::size_t joint = name.find_last_of("_/");
    return joint != std::string_view::npos && joint > 0 && isPartName(name.substr(joint + 1));
}

inline constexpr std::size_t mostPairs = 400;

// The reading of one line. `m_start` is where the text begins that may become the next name; everything before it is
// used up. Large because its rules are methods: each asks how far the line is used up and what the words before were:
// those for names are in textnames.cpp, for counts of steps in textsteps.cpp and textstepnames.cpp, for how much is
// done in textshares.cpp, for values in textvalues.cpp, for the end of a part in textparts.cpp, for what stands in
// brackets in textgroups.cpp and textparentheses.cpp, for values in other places in textgains.cpp.
class TextReader
{
public:
    TextReader(std::string_view line, Record &record) : m_line(line), m_record(record) { }

    void read();

private:
    enum class Joint { None, Sign, Verb };
    struct Named {
        std::string_view name;
        std::string_view context;
        Joint joint = Joint::None;
    };

    Named nameBefore(std::size_t end) const;
    bool isRow(); // of names with their values
    bool takeNamedList();
    bool takeGainInWords(const Number &number, std::size_t begin);
    bool takeMeanOfCount(const Number &number, std::size_t begin);
    bool isCountOfThings(const Number &number, std::size_t begin) const;
    bool takeNamesWithBrackets();
    bool takeTwoParts(const Named &named, const Number &number, std::size_t begin);
    std::optional<Number> quotientAt(std::size_t begin) const;
    std::optional<double> shareShown(const Number &count) const;
    void takeNumber(const Number &number, std::size_t begin);
    bool takeGluedStep();
    void takeStepWithNumber(std::size_t word);
    std::optional<double> timeLeftAt(std::size_t begin) const;
    std::size_t takeTotal(const Number &count);
    void takeShare(const Number &count);
    bool takeShareDone(const Number &number);
    bool takeShareBeforeCount(const Number &share);
    bool takeShareOfWork(const Named &named, const Number &number);
    bool takeBarOfNotebook(const Number &count, std::string_view behind);
    bool takeStepOfSeveral(const Number &number, std::size_t begin);
    bool takeStepOfHeading(const Number &number, std::size_t begin);
    bool takeStepOfSentence(const Number &number, std::size_t begin);
    bool takeStepOfRange(const Number &number, std::size_t begin);
    void takeStepInName(const NamedStep &inner, std::string_view context, const Number &number);
    bool isStepBehind(const Named &named, const Number &number) const;
    bool beginsMetric(std::size_t begin) const;
    bool beginsMeasure(std::size_t begin) const;
    bool takeStepOfPart(const Number &number, std::size_t begin);
    bool isBeforeRate(std::size_t end) const;
    bool takeTwoSteps(const Number &number);
    void takeBare(const Number &number, std::size_t begin);
    Named takeStepOfName(Named named);
    Named withoutStepInParentheses(Named named, std::size_t open);
    bool takeStep(const Named &named, const Number &number);
    bool isStepOfBest() const;
    void addStep(const StepName &name, const Number &number, bool isBare = false);
    void addPair(const Named &named, const Number &number, bool isJoined);
    bool isSaidTwice(Pair &pair) const;
    void after(std::size_t end);
    void passOver(std::size_t end);
    std::size_t afterAside(std::size_t end) const;
    bool takePartWithCounts(std::string_view inside);
    void openBracket();
    void valuesOf(std::string_view whole, std::string_view inside);
    bool takeCountBeforeBar(std::string_view before);
    bool takePartsInParentheses(std::size_t close);
    bool takePartWithTotal(const Named &named, const Number &number);
    void openParenthesis();
    void blanks();
    void endOfPart(std::size_t next);
    void takePartsOfUnknown();
    bool isAfterStep() const { return m_lastWasStep && trimmedJoint(m_line.substr(m_start, m_i - m_start)).empty(); }
    static std::string_view trimmedJoint(std::string_view text);

    std::string_view m_line;
    Record &m_record;
    std::size_t m_i = 0, m_start = 0;
    int m_passed = 0; // numbers since m_start
    bool m_lastWasStep = false;
    bool m_isFirst = true; // nothing was used up yet
    bool m_stop = false;
    std::size_t m_group = 0; // the first value within the brackets that were opened last
    std::optional<bool> m_isRow; // once it was asked for
    std::optional<Number> m_bare; // a number without a name before it: "0.5 avg loss"
    std::optional<Number> m_openingCount; // "(3/10)" at the beginning: a step unless the line names one
    std::string_view m_tag; // "TRAIN" of "[TRAIN] ..."
    std::optional<StepName> m_namedStep; // "validation loss at iteration 1000 | ..." has its number, not its value
};

} // namespace trainyard::metrics
