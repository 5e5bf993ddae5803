// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/otherstacks.h"

#include "engine/core/why/fortranerrors.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestFrame = 1000;
constexpr int linesBeforeStack = 8; // from the first place of a stack back to the error
constexpr qsizetype linesBeforeJulia = 40;
constexpr int blanksBeforeJulia = 4;
constexpr qsizetype linesBelowNode = 16;
constexpr int linesBetween = 2; // of a stack that are not places, such as what Julia calls

struct StackFrame {
    WhyFrame frame;
    bool isLibrary = false;
};

// A way to write a place; the groups `file`, `line` and `function` tell it.
struct FrameForm {
    QRegularExpression pattern;
    QList<QLatin1StringView> libraries; // parts of a file, or of a function that begins with it
};

const QList<FrameForm> &frameForms()
{
    static const QList<FrameForm> forms{
        // Java: "	at com.lab.Train.read(Train.java:33)"
        {QRegularExpression(
             u"\\A\\s+at (?<function>[\\w.$<>/@-]+)\\((?<file>\\w+\\.(?:java|kt|scala|groovy)):(?<line>\\d+)\\)"_s),
            {"java."_L1, "java.base/"_L1, "javax."_L1, "jdk."_L1, "sun."_L1, "com.sun."_L1, "scala."_L1, "kotlin."_L1,
                "org.apache."_L1, "io.netty."_L1, "akka."_L1, "org.springframework."_L1, "dalvik."_L1, "android."_L1,
                "org.junit."_L1, "org.gradle."_L1}},
        {QRegularExpression(
             u"\\A\\s+at (?<function>[\\w.$<>/@-]+)\\((?<file>Native Method|Unknown Source|<generated>)(?<line>)\\)"_s),
            {"."_L1}},
        // Julia: "   @ Main /w/train.jl:12", and before 1.6 " [3] run(::Int64) at /w/train.jl:12"
        {QRegularExpression(
             u"\\A\\s+(?:\\[\\d+\\]|in) (?<function>\\S.*?) at (?<file>[^\\s:]+\\.jl):(?<line>\\d+)(?: \\[inlined\\])?\\z"_s),
            {"./"_L1, "/stdlib/"_L1, ".julia/packages/"_L1, "/share/julia/"_L1}},
        {QRegularExpression(u"\\A\\s+@ (?:[\\w.]+ )?(?<file>(?:/|~|\\./)[^\\s:]+):(?<line>\\d+)(?<function>)"_s),
            {"./"_L1, "/stdlib/"_L1, ".julia/packages/"_L1, "/share/julia/"_L1}},
        // Go: "	/w/main.go:14 +0x1d"
        {QRegularExpression(u"\\A\\t(?<file>/[^\\s:]+\\.go):(?<line>\\d+)(?<function>)"_s),
            {"/pkg/mod/"_L1, "/vendor/"_L1, "/lib/go"_L1}},
        // Rust, and what libbacktrace writes for Fortran and C++: "             at ./src/main.rs:4:5"
        {QRegularExpression(
             u"\\A\\s+at (?<file>[^\\s:()]+\\.(?:rs|f|F|f90|F90|f95|c|cc|cpp|cxx|cu|h|hpp)):(?<line>\\d+)(?<function>)"_s),
            {"/rustc/"_L1, ".cargo/registry/"_L1, "/library/std/"_L1, "/usr/include/"_L1, "/sysdeps/"_L1, "/csu/"_L1}},
        // JavaScript: "    at f (/w/t.js:2:30)"
        {QRegularExpression(u"\\A\\s+at (?:async )?(?:(?<function>[^()]+?)(?: \\[as \\w+\\])? \\()?(?:file://)?"
                            "(?<file>(?:/|node:|\\./|[A-Za-z]:[\\\\/])[^()]*?):(?<line>\\d+):\\d+\\)?(?: \\{)?\\z"_s),
            {"node:"_L1, "/node_modules/"_L1}},
        // Ruby: "	from t.rb:6:in `<main>'"
        {QRegularExpression(u"\\A\\s+from (?<file>[^\\s:]+):(?<line>\\d+):in [`'](?<function>[^']+)'"_s),
            {"/gems/"_L1, "/lib/ruby/"_L1}},
        // Perl: "	main::f(3) called at t.pl line 4"
        {QRegularExpression(u"\\A\\s+(?<function>[\\w:]+)\\(.*\\) called at (?<file>\\S+) line (?<line>\\d+)"_s),
            {"/perl5/"_L1, "/share/perl/"_L1, "/lib/perl"_L1}},
        // MATLAB and Octave: "Error in run (line 12)", "    f at line 2 column 3"
        {QRegularExpression(u"\\AError in (?<file>(?<function>[\\w./>]+)) \\(line (?<line>\\d+)\\)\\z"_s),
            {"toolbox"_L1}},
        {QRegularExpression(u"\\A {4}(?<file>(?<function>\\w+)) at line (?<line>\\d+) column \\d+\\z"_s), {}},
        // .NET: "   at Sim.Loader.Read(String path) in /w/Loader.cs:line 44"
        {QRegularExpression(u"\\A\\s+at (?<function>.+?)\\(.*\\) in (?<file>.+\\.(?:cs|fs|vb)):line (?<line>\\d+)"_s),
            {"System."_L1, "Microsoft."_L1}},
        // Intel's Fortran: "model.exe  000000000045E3A1  advect_step_  212  advect.f90"
        {QRegularExpression(
             u"\\A\\S+\\s+[0-9A-F]{8,16}\\s+(?<function>\\S+)\\s+(?<line>\\d+)\\s+(?<file>\\S+\\.[A-Za-z]\\w*)\\s*\\z"_s),
            {}},
        // The address sanitizer: "    #0 0x55d in main /w/k.cpp:3"
        {QRegularExpression(u"\\A\\s+#\\d+ 0x[0-9a-f]+ in (?<function>.+?) (?<file>[^\\s:]+\\.\\w+):(?<line>\\d+)"_s),
            {"/sanitizer_common/"_L1, "/asan/asan_"_L1, "/sysdeps/"_L1, "/csu/"_L1}},
        // Tcl: "    (file "./t.tcl" line 6)"
        {QRegularExpression(u"\\A\\s+\\(file \"(?<file>[^\"]+)\" line (?<line>\\d+)\\)(?<function>)\\z"_s),
            {"/lib/tcl"_L1}},
    };
    return forms;
}

// Go's own packages are below "go/src" as what is fetched there is, whose folders begin with the name of a host.
bool isGoLibrary(const QString &file)
{
    static const QRegularExpression ofGo(u"/go/src/[^./]+/"_s);
    return ofGo.match(file).hasMatch();
}

// Whether a line can be a place at all: most are not, and patterns cost time.
bool mayBeFrame(QByteArrayView words)
{
    if (words.startsWith("Error in ")) {
        return true;
    }
    if (!words.startsWith(' ') && !words.startsWith('\t')) {
        return words.indexOf(QByteArrayView("  00000")) > 0;
    }
    const QByteArrayView trimmed = headOf(words, longestFrame).trimmed();
    return trimmed.startsWith("at ") || trimmed.startsWith("@ ") || trimmed.startsWith("from ")
        || trimmed.startsWith('#') || trimmed.startsWith('[') || trimmed.startsWith("in ")
        || (words.startsWith('\t') && trimmed.startsWith('/')) || trimmed.indexOf(" called at ") > 0
        || trimmed.startsWith("(file ") || trimmed.indexOf(" at line ") > 0;
}

std::optional<StackFrame> stackFrameIn(QByteArrayView words)
{
    if (!mayBeFrame(words)) {
        return std::nullopt;
    }
    const QString text = QString::fromUtf8(headOf(words, longestFrame));
    for (const FrameForm &form : frameForms()) {
        const QRegularExpressionMatch match = form.pattern.match(text);
        if (!match.hasMatch()) {
            continue;
        }
        StackFrame found{{match.captured(u"file"_s), match.captured(u"function"_s), match.captured(u"line"_s).toInt()}};
        found.isLibrary = std::any_of(form.libraries.cbegin(), form.libraries.cend(),
                              [&](QLatin1StringView part) {
                                  return found.frame.file.contains(part) || found.frame.function.startsWith(part);
                              })
            || found.frame.line == 0 || isGoLibrary(found.frame.file);
        return found;
    }
    return std::nullopt;
}

struct StackHead {
    QString type, message;
    std::optional<WhyFrame> place; // that the error itself names
    bool isUncaught = false, isCause = false;
};

std::optional<StackHead> headIn(QByteArrayView words)
{
    static const QRegularExpression named(
        u"\\A(?<before>Exception in thread \"[^\"]*\" |\\s*Caused by: |\\s+(?:\\[cause\\]|cause): |Uncaught |Unhandled "
        u"\\w+[:.] )?"
        "\\s*(?<type>(?:[\\w$]+\\.)*[\\w$]*(?:Error|Exception|Throwable|Failure))(?: \\[\\w+\\])?(?:: (?<message>.*?))?(?: \\{)?\\z"_s);
    static const QRegularExpression julia(
        u"\\AERROR: (?:LoadError: )*(?:(?<type>[A-Z]\\w*(?:\\{[^}]*\\})?)(?::|(?=\\()) ?)?(?<message>.*)"_s);
    static const QRegularExpression ruby(
        u"\\A(?<file>[^\\s:]+):(?<line>\\d+):in [`'](?<function>[^']+)': (?<message>.*) \\((?<type>[A-Z][\\w:]*)\\)\\z"_s);
    static const QRegularExpression fortran(u"\\A(?<type>Fortran runtime error): (?<message>.*)"_s);
    static const QRegularExpression octave(u"\\Aerror: (?!called from)(?<message>.*)"_s);
    static const QRegularExpression go(u"\\A(?:panic|fatal error): (?<message>.*)"_s);
    static const QRegularExpression perl(u"\\A(?<message>.*) at (?<file>\\S+) line (?<line>\\d+)\\.?\\z"_s);
    const QString text = QString::fromUtf8(headOf(words, longestFrame));
    QRegularExpressionMatch match;
    const auto fits = [&](const QRegularExpression &pattern) { return (match = pattern.match(text)).hasMatch(); };
    if (!fits(named) && !fits(julia) && !fits(ruby) && !fits(fortran) && !fits(octave) && !fits(go) && !fits(perl)) {
        return std::nullopt;
    }
    const auto group = [&](const QString &name) {
        return match.regularExpression().namedCaptureGroups().contains(name) ? match.captured(name) : QString();
    };
    StackHead head;
    head.type = group(u"type"_s);
    head.message = group(u"message"_s);
    if (match.regularExpression() == julia && head.message == "()"_L1) {
        head.message.clear(); // "OutOfMemoryError()" says nothing but its type
    }
    const QString before = group(u"before"_s);
    head.isCause = before.trimmed().startsWith("Caused"_L1) || before.trimmed().endsWith("cause]:"_L1)
        || before.trimmed() == "cause:"_L1;
    head.isUncaught = match.regularExpression() != named || before.startsWith("Exception in thread \"main\""_L1)
        || before.startsWith("Un"_L1);
    if (const int line = group(u"line"_s).toInt()) {
        head.place = WhyFrame{group(u"file"_s), group(u"function"_s), line};
    }
    return head;
}

// The words of an error that MATLAB writes above the places.
std::optional<StackHead> matlabHeadIn(QByteArrayView words)
{
    const bool isText = !words.startsWith(' ') && !words.startsWith("Error in ") && !words.startsWith("Error using ");
    return isText ? std::optional(StackHead{{}, QString::fromUtf8(headOf(words, longestFrame)).trimmed(), {}, true})
                  : std::nullopt;
}

// The home of a function of Java: the first two parts of its package, which the programs of one author share; empty
// where it has no package. Nothing for other languages.
std::optional<QString> homeOf(const WhyFrame &frame)
{
    static const QRegularExpression ofJava(u"\\.(?:java|kt|scala|groovy)\\z"_s);
    if (!ofJava.match(frame.file).hasMatch()) {
        return std::nullopt;
    }
    const QStringList parts = frame.function.section(u'/', -1).split(u'.'); // ... the class, the function
    return parts.size() < 3 ? QString() : parts.first(std::min<qsizetype>(2, parts.size() - 2)).join(u'.');
}

// Chooses among the places that belong to no known library, the error's innermost first, those of the errors that
// followed from it behind: a program begins in code of its own, so what is in the package of its outermost place is the
// user's.
WhyFrame ownOf(const QList<WhyFrame> &frames, const WhyFrame &outermost)
{
    const std::optional<QString> home = homeOf(outermost);
    const auto own
        = std::find_if(frames.cbegin(), frames.cend(), [&](const WhyFrame &frame) { return homeOf(frame) == home; });
    return home && own != frames.cend() ? *own : frames.constFirst();
}

class StackReader
{
public:
    explicit StackReader(const QList<WhyLine> &lines) : m_lines(lines) { }
    QList<OtherStack> all();

private:
    void findHead(OtherStack &stack, qsizetype firstFrame) const;
    void readFrames(OtherStack &stack, qsizetype firstFrame) const;
    qsizetype endOfNode(qsizetype last) const;
    std::optional<OtherStack> pytestErrorAt(qsizetype place) const;
    const QList<WhyLine> &m_lines;
};

void StackReader::findHead(OtherStack &stack, qsizetype firstFrame) const
{
    const QByteArrayView stream = m_lines.at(firstFrame).stream;
    const bool isMatlab = m_lines.at(firstFrame).words.startsWith("Error in ");
    int blanks = 0, mostBlanks = 1;
    qsizetype mostBefore = linesBeforeStack;
    for (qsizetype i = firstFrame - 1; i >= 0 && i >= firstFrame - mostBefore; --i) {
        const QByteArrayView words = m_lines.at(i).words;
        // Julia lists between the error and its stack what else could have been called.
        if (words == QByteArrayView("Stacktrace:")) {
            mostBefore = linesBeforeJulia;
            mostBlanks = blanksBeforeJulia;
        }
        if (m_lines.at(i).stream != stream) {
            continue;
        }
        if (words.trimmed().isEmpty()) {
            if (++blanks > mostBlanks) {
                return;
            }
            continue;
        }
        if (const std::optional<StackHead> head = isMatlab ? matlabHeadIn(words) : headIn(words)) {
            stack.first = stack.line = i;
            stack.type = head->type;
            stack.message = head->message;
            stack.own = head->place;
            stack.isUncaught = head->isUncaught;
            return;
        }
        if (isMatlab) {
            return;
        }
    }
}

void StackReader::readFrames(OtherStack &stack, qsizetype firstFrame) const
{
    const QByteArrayView stream = m_lines.at(firstFrame).stream;
    int others = 0;
    QList<WhyFrame> now, before; // of the error that is read, and of those that it led to
    std::optional<WhyFrame> outermost; // of the first error: the others leave out what they share with it
    for (qsizetype i = firstFrame; i < m_lines.size() && others <= linesBetween; ++i) {
        const QByteArrayView words = m_lines.at(i).words;
        if (m_lines.at(i).stream != stream) {
            continue;
        }
        if (const std::optional<StackFrame> frame = stackFrameIn(words)) {
            others = 0;
            stack.last = i;
            if (!frame->isLibrary) {
                now.append(frame->frame);
                outermost = before.isEmpty() ? frame->frame : outermost;
            }
            continue;
        }
        // Above the stack, Julia lists what else could have been called.
        if (words == QByteArrayView("Stacktrace:")) {
            now.clear();
            outermost.reset();
            continue;
        }
        // What led to the error counts as the error.
        const std::optional<StackHead> head = headIn(words);
        if (head && head->isCause) {
            others = 0;
            stack.line = stack.last = i;
            stack.type = head->type;
            stack.message = head->message;
            stack.own.reset();
            before = now + before;
            now.clear();
            continue;
        }
        const bool isMore = words.startsWith("\t...") || words.startsWith(" [") || words.startsWith("goroutine ");
        others += isMore ? 0 : 1;
        if (head) {
            break;
        }
    }
    const QList<WhyFrame> frames = now + before;
    if (!stack.own && !frames.isEmpty()) {
        stack.own = ownOf(frames, outermost.value_or(frames.constLast()));
    }
}

// Node.js says its version when an error has ended it, below what else it knows of the error: that line, or -1.
qsizetype StackReader::endOfNode(qsizetype last) const
{
    for (qsizetype i = last + 1; i < m_lines.size() && i < last + linesBelowNode; ++i) {
        if (m_lines.at(i).words.startsWith("Node.js v")) {
            return i;
        }
    }
    return -1;
}

// pytest marks what an error says, and names its place and type below: "E       assert 0.4 < 0.3", "",
// "tests/test_m.py:7: AssertionError".
std::optional<OtherStack> StackReader::pytestErrorAt(qsizetype place) const
{
    constexpr qsizetype longestMessage = 40; // lines from the place back to what is said
    static const QRegularExpression ofPlace(
        u"\\A(?<file>[^\\s:]+\\.py):(?<line>\\d+)(?:: (?<type>[\\w.]*(?:Error|Exception|Exit|Interrupt|Failed)))?\\z"_s);
    const QRegularExpressionMatch match
        = ofPlace.match(QString::fromUtf8(headOf(m_lines.at(place).words, longestFrame)));
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    OtherStack error;
    error.first = error.last = place;
    for (qsizetype i = place - 1; i >= 0 && i > place - longestMessage; --i) {
        const QByteArrayView words = m_lines.at(i).words;
        if (words.startsWith("E  ")) {
            error.first = error.line = i; // the first of them says it, the others what was compared
        } else if (error.line >= 0 || (!words.trimmed().isEmpty() && words.startsWith("_"))) {
            break;
        }
    }
    if (error.line < 0) {
        return std::nullopt;
    }
    error.isPython = true;
    error.type = match.captured(u"type"_s);
    error.message = QString::fromUtf8(headOf(m_lines.at(error.line).words, longestFrame)).mid(1).trimmed();
    if (error.message.startsWith(error.type + u": "_s)) {
        error.message.remove(0, error.type.size() + 2);
    }
    const QString file = match.captured(u"file"_s);
    error.own
        = isLibraryFile(file) ? std::nullopt : std::optional(WhyFrame{file, {}, match.captured(u"line"_s).toInt()});
    return error;
}

QList<OtherStack> StackReader::all()
{
    // Node.js names the place of a syntax error above the error: "/w/t.js:1".
    static const QRegularExpression place(u"\\A(?<file>/\\S+\\.[cm]?[jt]s):(?<line>\\d+)\\z"_s);
    QList<OtherStack> stacks;
    for (qsizetype i = 0; i < m_lines.size(); ++i) {
        const bool mayBePytest = m_lines.at(i).words.indexOf(".py:") > 0;
        if (const std::optional<OtherStack> error = mayBePytest ? pytestErrorAt(i) : std::nullopt) {
            stacks.append(*error);
            continue;
        }
        if (const std::optional<OtherStack> error = fortranErrorAt(m_lines, i)) {
            stacks.append(*error);
            i = error->line < 0 ? error->last : i;
            continue;
        }
        if (!stackFrameIn(m_lines.at(i).words)) {
            continue;
        }
        OtherStack stack;
        stack.first = stack.last = i;
        findHead(stack, i);
        readFrames(stack, i);
        if (const std::optional<OtherStack> error = fortranErrorAt(m_lines, stack.line); error && !stack.own) {
            stack.own = error->own;
        }
        if (const qsizetype end = endOfNode(stack.last); end >= 0) {
            stack.isUncaught = true;
            stack.last = end;
        }
        for (qsizetype j = stack.first - 1; !stack.own && j >= 0 && j >= stack.first - linesBeforeStack; --j) {
            const QRegularExpressionMatch match
                = place.match(QString::fromUtf8(headOf(m_lines.at(j).words, longestFrame)));
            if (match.hasMatch() && !match.captured(1).contains("/node_modules/"_L1)) {
                stack.own = WhyFrame{match.captured(1), {}, match.captured(2).toInt()};
            }
        }
        stacks.append(stack);
        i = std::max(i, stack.last);
    }
    return stacks;
}

} // namespace

QList<OtherStack> otherStacksIn(const QList<WhyLine> &lines) { return StackReader(lines).all(); }

} // namespace trainyard::core
