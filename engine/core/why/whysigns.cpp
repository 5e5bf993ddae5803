// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whysigns.h"

#include "engine/core/why/otherstacks.h"
#include "engine/core/why/shellerrors.h"

#include <QHash>

#include <algorithm>
#include <array>
#include <cstring>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

// Of a text that stands in each line, the last ones are enough.
constexpr int mostPlaces = 400;
constexpr qsizetype longestWords = 4096;
constexpr qsizetype longestArgument = 300;
constexpr qsizetype linesOfGeneric = 400; // from the end
constexpr qsizetype linesBeforePlaces = 8; // from the first place of a stack back to what it belongs to

using Role = FailureCause::Role;
using Where = FailureCause::Where;

struct CauseMatch {
    const FailureCause *cause = nullptr;
    const FailureCause::Line *line = nullptr;
    QJsonObject args;
};

// Groups of one pattern have names of their own; these mean the same.
QString argumentName(const QString &group)
{
    static const QHash<QString, QString> same{{u"file2"_s, u"file"_s}, {u"host2"_s, u"host"_s}, {u"port2"_s, u"port"_s},
        {u"port3"_s, u"port"_s}, {u"total2"_s, u"total"_s}, {u"image2"_s, u"image"_s}, {u"shape3"_s, u"shape"_s}};
    return same.value(group, group);
}

std::optional<QJsonObject> argumentsOf(const FailureCause::Line &line, const QString &text)
{
    if (line.pattern.pattern().isEmpty()) {
        return QJsonObject();
    }
    const QRegularExpressionMatch match = line.pattern.match(text);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    QJsonObject args;
    const QStringList groups = line.pattern.namedCaptureGroups();
    for (const QString &group : groups) {
        const QString value = group.isEmpty() ? QString() : match.captured(group).trimmed().left(longestArgument);
        if (!value.isEmpty()) {
            args.insert(argumentName(group), value);
        }
    }
    return args;
}

// What Python says when it ends: the type, its message and the lines that continue it.
std::optional<CauseMatch> causeOfError(const FailureCauses &causes, const WhyError &error)
{
    const QString text = error.message.isEmpty() ? error.type
        : error.type.isEmpty()                   ? error.message
                                                 : error.type + u": "_s + error.message;
    const QByteArray bytes = text.toUtf8();
    for (const FailureCause &cause : causes.causes()) {
        for (const FailureCause::Line &line : cause.lines) {
            if (line.where == Where::Text || bytes.indexOf(line.hint) < 0) {
                continue;
            }
            if (const std::optional<QJsonObject> args = argumentsOf(line, text)) {
                return CauseMatch{&cause, &line, *args};
            }
        }
    }
    // An EOFError of a pipe has no message.
    const bool isOfInput = error.type == "EOFError"_L1 && !error.message.isEmpty();
    if (const FailureCause *cause = isOfInput ? nullptr : causes.ofType(error.type)) {
        return CauseMatch{cause, nullptr, {}};
    }
    return std::nullopt;
}

// A look into a table, whose failure is told in better words by the next one: it was not passed on through functions.
bool isLookup(const WhyError &error)
{
    static const QSet<QString> types{
        u"KeyError"_s, u"IndexError"_s, u"AttributeError"_s, u"StopIteration"_s, u"LookupError"_s, u"Empty"_s};
    return error.frames <= 2 && types.contains(error.type.section(u'.', -1));
}

// Whether an error that was made of a lookup names what was looked up, in words of its own.
bool saysMoreThan(const WhyError &lookup, const WhyError &error)
{
    QString key = lookup.message;
    key.remove(u'\'').remove(u'"');
    return key.isEmpty() || error.message.contains(key) || error.message.contains(lookup.message);
}

// Whether an error comes from what a program does at its end, and the one before it does not come from there.
bool isCleanupAfter(const WhyError &before, const WhyError &error)
{
    return !error.isRaised && !(error.cleanups - before.places).isEmpty();
}

// Exceptions after which programs go another way.
bool isProbing(const QString &type)
{
    static const QSet<QString> types{u"ImportError"_s, u"ModuleNotFoundError"_s, u"FileNotFoundError"_s};
    return types.contains(type.section(u'.', -1));
}

bool isReportOf(const FailureCauses &causes, const WhyError &error)
{
    return causes.isReport(error.type, error.message.section(u'\n', 0, 0)) || error.type.contains("RayTaskError("_L1);
}

// Whether a place stands in quotes: the program may only show what it works on.
bool isQuotedAt(QByteArrayView words, qsizetype at)
{
    if (at < 0 || at > words.size()) {
        return false;
    }
    const QByteArrayView before = words.first(at);
    return std::count(before.begin(), before.end(), '"') % 2 == 1 && words.indexOf('"', at) >= 0;
}

bool isLoggedLine(QByteArrayView words)
{
    static const QRegularExpression logged(u"\\b(?:ERROR|WARN|WARNING|SEVERE)\\b"_s);
    return logged.match(QString::fromUtf8(headOf(words, longestArgument))).hasMatch();
}

// What the client of a tracking server says: it goes on beside the program, and after its end.
bool isOfTracker(QByteArrayView words)
{
    static const QRegularExpression tracker(u"\\A(?:\\x1b\\[[\\d;]*m)*wandb(?:\\x1b\\[[\\d;]*m)*: "_s);
    return tracker.match(QString::fromUtf8(headOf(words, longestArgument))).hasMatch();
}

WhySign signOfCause(const CauseMatch &match)
{
    WhySign sign;
    sign.cause = match.cause->name;
    sign.role = match.cause->role;
    sign.likely = match.cause->likely || (match.line && match.line->likely);
    sign.transient = match.cause->transient;
    sign.after = match.cause->after;
    sign.order = match.line ? int(match.line - match.cause->lines.constData()) : 0;
    sign.args = match.args;
    if (sign.role == Role::Crash && sign.cause == "host-oom"_L1) {
        sign.args.insert(u"killed"_s, u"SIGKILL"_s);
    }
    return sign;
}

void insertText(QJsonObject &args, const QString &name, const QString &value)
{
    if (!value.isEmpty() && !args.contains(name)) {
        args.insert(name, value.left(longestArgument));
    }
}

// A program that could not be started: Python names it as it names a file.
std::optional<CauseMatch> causeOfStart(const FailureCauses &causes, const WhyError &error)
{
    static const QRegularExpression named(u"\\[Errno (?:2|13)\\] .*: '([^']+)'"_s);
    const FailureCause *cause = error.type == "FileNotFoundError"_L1 ? causes.find(u"command-missing"_s)
        : error.type == "PermissionError"_L1                         ? causes.find(u"not-executable"_s)
                                                                     : nullptr;
    const QRegularExpressionMatch match = named.match(error.message);
    if (!cause || !match.hasMatch() || !error.innermost.endsWith("/subprocess.py"_L1)) {
        return std::nullopt;
    }
    return CauseMatch{cause, nullptr, {{u"command"_s, match.captured(1)}}};
}

// A process that multiprocessing spawned reads what its parent could not write.
bool isOrphan(const WhyError &error)
{
    static const QRegularExpression ofSpawn(u"[/\\\\]multiprocessing[/\\\\]"_s);
    const bool isSpawned
        = error.outermost && (error.outermost->file == "<string>"_L1 || error.outermost->file.endsWith("spawn.py"_L1));
    return !error.own && isSpawned && ofSpawn.match(error.innermost).hasMatch()
        && (error.type == "EOFError"_L1 || error.type.endsWith("UnpicklingError"_L1)
            || error.type == "ConnectionResetError"_L1 || error.type == "BrokenPipeError"_L1);
}

// Python's table of the environment: the key is the name of a variable.
std::optional<CauseMatch> causeOfEnvironment(const FailureCauses &causes, const WhyError &error)
{
    const FailureCause *cause
        = error.type == "KeyError"_L1 && (error.innermost == "<frozen os>"_L1 || error.innermost.endsWith("/os.py"_L1))
        ? causes.find(u"environment-missing"_s)
        : nullptr;
    static const QRegularExpression quoted(u"\\A'(\\w+)'\\z"_s);
    const QRegularExpressionMatch match = quoted.match(error.message);
    return cause && match.hasMatch() ? std::optional(CauseMatch{cause, nullptr, {{u"name"_s, match.captured(1)}}})
                                     : std::nullopt;
}

// Errors of the network often name the host only where they are passed on.
void addHost(const PythonBlock &block, WhySign &sign)
{
    static const QSet<QString> ofNetwork{u"dns"_s, u"ssl-verify"_s, u"tls-failed"_s, u"proxy"_s,
        u"network-unreachable"_s, u"connection-refused"_s, u"connection-timeout"_s, u"server-error"_s, u"rate-limit"_s};
    static const QRegularExpression host(u"host='(?<a>[^']+)'(?:, port=(?<p>\\d+))?|https?://(?<b>[^/\\s'\"]+)"_s);
    if (!ofNetwork.contains(sign.cause) || sign.args.contains("host"_L1)) {
        return;
    }
    for (const WhyError &error : block.errors) {
        const QRegularExpressionMatch match = host.match(error.message);
        if (match.hasMatch()) {
            insertText(sign.args, u"host"_s, match.captured(u"a"_s) + match.captured(u"b"_s));
            insertText(sign.args, u"port"_s, match.captured(u"p"_s));
            return;
        }
    }
}

WhySign signOfBlock(const FailureCauses &causes, const PythonBlock &block, qsizetype index)
{
    const qsizetype root = rootErrorOf(causes, block);
    const WhyError &error = block.errors.at(root);
    const std::optional<CauseMatch> start = causeOfStart(causes, error);
    const std::optional<CauseMatch> environment = start ? start : causeOfEnvironment(causes, error);
    const std::optional<CauseMatch> match = environment ? environment : causeOfError(causes, error);
    const bool isReport = isReportOf(causes, error) || isOrphan(error);
    WhySign sign;
    // The command in a report is no error; how its process died is worth a name.
    const bool isNamed = match && !isOrphan(error)
        && (!causes.isReportType(error.type) || match->cause->role == Role::Crash || match->cause->role == Role::Abort);
    if (match && (!isReport || isNamed)) {
        sign = signOfCause(*match);
        const bool isOwn = sign.role == Role::Crash || sign.role == Role::Abort;
        sign.likely = sign.likely || isReport;
        sign.role = isReport && !isOwn ? Role::Report : sign.role;
    } else if (isReport) {
        sign.role = Role::Report;
        sign.likely = true;
    } else {
        sign.transient = false;
    }
    sign.line = error.line;
    sign.last = block.last;
    sign.block = index;
    sign.survived = block.context == PythonBlock::Context::Thread || block.context == PythonBlock::Context::Logged;
    sign.fatal = !sign.survived && sign.role != Role::Report;
    sign.args.insert(u"type"_s, error.type.section(u'.', -1).left(longestArgument));
    if (!error.message.isEmpty()) {
        sign.args.insert(u"message"_s, error.message.section(u'\n', 0, 0).left(longestArgument));
    }
    const QString said = error.message.isEmpty() ? error.type : error.type + u": "_s + error.message;
    insertText(sign.args, u"said"_s, said.section(u'\n', 0, 0));
    addHost(block, sign);
    return sign;
}

// The place that a line itself names: Perl and PHP behind what they say, Lua and `assert` of C before it.
std::optional<WhyFrame> placeIn(const QString &text, const WhySign &sign)
{
    static const QRegularExpression perl(u" at (\\S+\\.p[lm]) line (\\d+)\\.\\z"_s);
    static const QRegularExpression ofLibrary(
        u"\\A(?:\\.\\./|/usr/|/build/|/io/|external/|malloc\\.c|pthread_|dl-)|/(?:aten|c10|pytorch|torch|tensorflow|xla|nptl)/"_s);
    static const QRegularExpression php(u" in (\\S+\\.php) on line (\\d+)\\z"_s);
    static const QRegularExpression lua(u"\\A\\S+: (\\S+\\.lua):(\\d+): "_s);
    for (const QRegularExpression *pattern : {&perl, &php, &lua}) {
        if (const QRegularExpressionMatch match = pattern->match(text); match.hasMatch()) {
            return WhyFrame{match.captured(1), {}, match.captured(2).toInt()};
        }
    }
    const QString file = sign.args.value("file"_L1).toString(), line = sign.args.value("line"_L1).toString();
    if (sign.cause == "assertion-failed"_L1 && !line.isEmpty() && !ofLibrary.match(file).hasMatch()) {
        return WhyFrame{file, {}, line.toInt()};
    }
    return std::nullopt;
}

// Reads the lines of an output for signs. Large because which line a sign is read from depends on those around it, and
// each kind of neighbour is looked at by a method of its own.
class SignReader
{
public:
    SignReader(
        const FailureCauses &causes, QByteArrayView text, const QList<WhyLine> &lines, const QList<PythonBlock> &blocks)
        : m_causes(causes), m_text(text), m_lines(lines), m_blocks(blocks), m_stacks(otherStacksIn(lines))
    {
    }
    WhySigns signsOf();

private:
    bool isInBlock(qsizetype index) const;
    // The words around a place of the text: long lines are cut.
    QByteArrayView wordsAround(const WhyLine &line, qsizetype at) const;
    template <class Take> void eachPlace(QByteArrayView hint, Take take) const;
    void readCauses();
    void readReports();
    void readExceptions();
    void readStacks();
    void addPlaces();
    void readShells();
    WhySign signOfError(const WhyError &error) const;
    void readGeneric();
    qsizetype wordsBelow(qsizetype head) const;
    qsizetype passedOnBelow(qsizetype line) const;
    void completeNccl(WhySign &sign) const;
    void completeCommand(WhySign &sign) const;
    void completeAnnounced(WhySign &sign) const;

    const FailureCauses &m_causes;
    QByteArrayView m_text;
    const QList<WhyLine> &m_lines;
    const QList<PythonBlock> &m_blocks;
    const QList<OtherStack> m_stacks;
    QHash<qsizetype, WhySign> m_signs; // by line
    QSet<qsizetype> m_quoted; // lines that belong to the sign of another
};

bool SignReader::isInBlock(qsizetype index) const
{
    auto after = std::upper_bound(m_blocks.cbegin(), m_blocks.cend(), index,
        [](qsizetype line, const PythonBlock &block) { return line < block.first; });
    // Blocks of several processes overlap, but not many of them.
    for (int i = 0; i < 64 && after != m_blocks.cbegin(); ++i) {
        --after;
        if (index <= after->last && m_lines.at(index).stream == m_lines.at(after->first).stream) {
            return true;
        }
    }
    return false;
}

QByteArrayView SignReader::wordsAround(const WhyLine &line, qsizetype at) const
{
    if (line.words.size() <= longestWords) {
        return line.words;
    }
    const qsizetype from = std::clamp<qsizetype>(
        at - longestWords / 2, line.end - line.words.size(), std::max(line.begin, line.end - longestWords));
    return m_text.sliced(from, std::min(longestWords, line.end - from));
}

template <class Take> void SignReader::eachPlace(QByteArrayView hint, Take take) const
{
    QList<qsizetype> places;
    const char *const begin = m_text.data();
    const char *const end = begin + m_text.size();
    for (const char *at = begin; at < end;) {
        const void *hit = ::memmem(at, std::size_t(end - at), hint.data(), std::size_t(hint.size()));
        if (!hit) {
            break;
        }
        const qsizetype place = static_cast<const char *>(hit) - begin;
        places.append(place);
        const void *newline = ::memchr(begin + place, '\n', std::size_t(end - begin - place));
        at = newline ? static_cast<const char *>(newline) + 1 : end;
    }
    for (qsizetype i = std::max<qsizetype>(0, places.size() - mostPlaces); i < places.size(); ++i) {
        const qsizetype line = whyLineAt(m_lines, places.at(i));
        if (line >= 0) {
            take(line, places.at(i));
        }
    }
}

void SignReader::readCauses()
{
    for (const FailureCause &cause : m_causes.causes()) {
        for (const FailureCause::Line &line : cause.lines) {
            if (line.where == Where::Python) {
                continue;
            }
            eachPlace(line.hint, [&](qsizetype index, qsizetype at) {
                const auto known = m_signs.constFind(index);
                if ((known != m_signs.cend() && !known->weak) || m_quoted.contains(index) || isInBlock(index)) {
                    return;
                }
                const QByteArrayView words = wordsAround(m_lines.at(index), at);
                const QString text = QString::fromUtf8(words);
                const std::optional<QJsonObject> args = argumentsOf(line, text);
                if (!args) {
                    return;
                }
                WhySign sign = signOfCause({&cause, &line, *args});
                sign.line = sign.last = index;
                sign.weak = !line.warning && isMildLine(words);
                sign.survived = isOfTracker(m_lines.at(index).words);
                sign.likely = sign.likely || isQuotedAt(words, at - (words.data() - m_text.data()));
                sign.fatal = cause.name == "heap-corruption"_L1 || cause.name == "assertion-failed"_L1
                    || cause.name == "process-limit"_L1;
                insertText(sign.args, u"said"_s, text.trimmed());
                completeCommand(sign);
                completeAnnounced(sign);
                sign.frame = placeIn(text.trimmed(), sign);
                if (known == m_signs.cend() || !sign.weak) {
                    m_signs.insert(index, sign);
                }
            });
        }
    }
}

// What a tool only announces stands below: "... problems while solving:", "  - nothing provides x"; "CMake Error at
// CMakeLists.txt:9 (project):", "  No compiler could be found.".
void SignReader::completeAnnounced(WhySign &sign) const
{
    constexpr qsizetype linesBelow = 3;
    static const QRegularExpression item(u"\\A\\s*(?:-|└─|╰─▶|×) +(\\S.*)"_s);
    static const QRegularExpression named(u"\\A\\s*\"([^\"]+)\"\\s*\\z"_s);
    const QByteArrayView head = m_lines.at(sign.line).words.trimmed();
    const bool isSolver = sign.cause == "pip-conflict"_L1 || sign.cause == "pip-not-found"_L1;
    const bool isOfModules = sign.cause == "modulefile-missing"_L1;
    const bool isOfBuild = sign.cause == "build-failed"_L1 && head.startsWith("CMake Error");
    if ((!isSolver && !isOfModules && !isOfBuild) || !head.endsWith(':')) {
        return;
    }
    for (qsizetype i = sign.line + 1; i < m_lines.size() && i <= sign.line + linesBelow; ++i) {
        const WhyLine &line = m_lines.at(i);
        const QString text = QString::fromUtf8(headOf(line.words, longestWords));
        const QRegularExpressionMatch listed = item.match(text), name = named.match(text);
        if (line.stream != m_lines.at(sign.line).stream || text.trimmed().isEmpty()
            || (isSolver && !listed.hasMatch())) {
            continue;
        }
        if (isOfModules) {
            insertText(sign.args, u"name"_s, name.captured(1));
            return;
        }
        // A line of a list does not say by itself what it is about.
        sign.shown = isSolver ? -1 : i;
        sign.args.insert(u"said"_s, (isSolver ? listed.captured(1) : text).trimmed().left(longestArgument));
        return;
    }
}

// mpirun names the program some lines below what it says of it.
void SignReader::completeCommand(WhySign &sign) const
{
    if (sign.cause != "command-missing"_L1 || sign.args.contains("command"_L1)) {
        return;
    }
    static const QRegularExpression pattern(u"\\A\\s*Executable: (\\S+)"_s);
    for (qsizetype i = sign.line; i < m_lines.size() && i < sign.line + 14; ++i) {
        const QRegularExpressionMatch match = pattern.match(QString::fromUtf8(headOf(m_lines.at(i).words, 400)));
        if (match.hasMatch()) {
            insertText(sign.args, u"command"_s, match.captured(1));
            sign.last = i;
            return;
        }
    }
}

void SignReader::readReports()
{
    for (const QByteArray &report : m_causes.reportLines()) {
        eachPlace(report, [&](qsizetype index, qsizetype) {
            if (m_signs.contains(index) || m_quoted.contains(index) || isInBlock(index)) {
                return;
            }
            WhySign sign;
            sign.line = sign.last = index;
            sign.role = Role::Report;
            sign.likely = true;
            insertText(
                sign.args, u"said"_s, QString::fromUtf8(headOf(m_lines.at(index).words, longestWords)).trimmed());
            m_signs.insert(index, sign);
        });
    }
}

// Exceptions of C++, Rust and Go that nothing caught: what they say is judged like a message of Python.
void SignReader::readExceptions()
{
    static const QRegularExpression what(u"\\A\\s*what\\(\\):\\s+(.*)"_s);
    static const QRegularExpression ended(
        u"terminat(?:e called after throwing an instance of '([^']+)'|ing (?:due to|with) uncaught exception of type "
        "([^:]+)(?:: (.*))?|e called without an active exception)|\\Athread '[^']*' (?:\\(\\d+\\) )?panicked at "
        "(?:'(.*)', )?|\\Apanic: (.*)"_s);
    static const QRegularExpression placeOfPanic(u"panicked at .*?([^\\s',]+\\.rs):(\\d+):\\d+"_s);
    for (const QByteArrayView hint : {QByteArrayView("terminate called "), QByteArrayView("uncaught exception of type"),
             QByteArrayView("panicked at "), QByteArrayView("panic: ")}) {
        eachPlace(hint, [&](qsizetype index, qsizetype) {
            if (isInBlock(index)) {
                return;
            }
            const QRegularExpressionMatch match = ended.match(QString::fromUtf8(headOf(m_lines.at(index).words, 1000)));
            if (!match.hasMatch()) {
                return;
            }
            WhyError error;
            error.type = match.captured(1) + match.captured(2);
            error.message = match.captured(3) + match.captured(4) + match.captured(5);
            error.line = index;
            // What it says stands below, perhaps behind lines of other processes.
            for (qsizetype i = index + 1; error.message.isEmpty() && i < m_lines.size() && i < index + 8; ++i) {
                const QString text = QString::fromUtf8(headOf(m_lines.at(i).words, longestWords));
                const QRegularExpressionMatch said = what.match(text);
                const bool isOfRust = match.captured(0).startsWith("thread"_L1) && !text.startsWith(u' ');
                if (said.hasMatch() || isOfRust) {
                    error.message = said.hasMatch() ? said.captured(1) : text;
                    error.line = i;
                }
            }
            WhySign sign = signOfError(error);
            sign.last = error.line;
            sign.fatal = sign.isThrown = true;
            // Rust names the place: "panicked at src/main.rs:4:37:".
            const QRegularExpressionMatch place
                = placeOfPanic.match(QString::fromUtf8(headOf(m_lines.at(index).words, longestWords)));
            if (place.hasMatch() && !place.captured(1).startsWith("/rustc/"_L1)
                && !place.captured(1).contains(".cargo/registry/"_L1)) {
                sign.frame = WhyFrame{place.captured(1), {}, place.captured(2).toInt()};
            }
            m_quoted.insert(index);
            m_signs.insert(error.line, sign);
        });
    }
}

// An error that a program ended with, in another language than Python.
WhySign SignReader::signOfError(const WhyError &error) const
{
    const std::optional<CauseMatch> found = causeOfError(m_causes, error);
    WhySign sign = found ? signOfCause(*found) : WhySign();
    if (!found && isReportOf(m_causes, error)) {
        sign.role = Role::Report;
        sign.likely = true;
    } else if (!found) {
        sign.cause = u"uncaught-exception"_s;
        sign.transient = false;
    }
    sign.line = error.line;
    insertText(sign.args, u"type"_s, error.type);
    insertText(sign.args, u"said"_s,
        error.message.isEmpty()         ? error.type
            : error.type.contains(u'.') ? error.type.section(u'.', -1) + u": "_s + error.message
                                        : error.message);
    return sign;
}

// Errors with the stacks of Java, JavaScript, Julia and others.
void SignReader::readStacks()
{
    for (const OtherStack &stack : std::as_const(m_stacks)) {
        if (stack.line < 0 || isInBlock(stack.first)) {
            continue;
        }
        WhyError error;
        error.type = stack.type;
        error.message = stack.message;
        error.line = stack.line;
        WhySign sign = signOfError(error);
        sign.last = stack.last;
        sign.frame = stack.own;
        sign.fatal = sign.isThrown = stack.isUncaught && sign.role != Role::Report;
        const bool isLogged = stack.first > 0 && isLoggedLine(m_lines.at(stack.first - 1).words);
        sign.survived = !stack.isUncaught && isLogged;
        sign.likely = sign.likely || !stack.isUncaught;
        for (qsizetype i = stack.first; i <= stack.last; ++i) {
            m_quoted.insert(i);
        }
        m_signs.insert(sign.line, sign);
    }
}

// Places without an error of their own belong to what stands above them, such as a panic of Go or Rust.
void SignReader::addPlaces()
{
    for (const OtherStack &stack : std::as_const(m_stacks)) {
        for (qsizetype i = stack.first; stack.line < 0 && i >= 0 && i >= stack.first - linesBeforePlaces; --i) {
            const auto known = m_signs.find(i);
            if (known != m_signs.end()) {
                if (known->block < 0) {
                    known->last = std::max(known->last, stack.last);
                    known->frame = stack.own ? stack.own : known->frame;
                }
                break;
            }
        }
    }
}

// A shell names the line of the script that it could not carry out. It may have gone on after it.
void SignReader::readShells()
{
    for (qsizetype i = std::max<qsizetype>(0, m_lines.size() - linesOfGeneric); i < m_lines.size(); ++i) {
        const auto known = m_signs.find(i);
        const QByteArrayView words = headOf(m_lines.at(i).words, longestWords);
        if ((known != m_signs.end() && (known->block >= 0 || known->frame)) || m_quoted.contains(i) || isInBlock(i)) {
            continue;
        }
        const std::optional<ShellError> error = shellErrorIn(words);
        if (!error) {
            continue;
        }
        if (known != m_signs.end()) {
            known->frame = error->place;
            continue;
        }
        WhySign sign;
        sign.cause = u"shell-error"_s;
        sign.line = sign.last = i;
        sign.generic = sign.likely = true;
        sign.transient = false;
        sign.frame = error->place;
        insertText(sign.args, u"said"_s, error->said);
        m_signs.insert(i, sign);
    }
}

// Below a line that only says that an error follows, such as "Fatal error:" or "--> FOAM FATAL ERROR: (v2306)": the
// line that says it, or -1.
qsizetype SignReader::wordsBelow(qsizetype head) const
{
    constexpr qsizetype linesBelow = 3;
    static const QRegularExpression headline(
        u"\\A\\s*(?:[-=*#>!]+\\s*)?(?:[A-Z]\\w*\\s+)?(?:(?:FATAL|[Ff]atal|INTERNAL|[Ii]nternal|IO|[Rr]un-?time)\\s+)*"
        "(?:ERROR|[Ee]rror|EXCEPTION)(?: in routine\\s+\\S+)?(?:\\s*\\([^)]*\\))?\\s*(?::\\s*(?:\\([^)]*\\))?|[-=*#!]+)\\s*\\z"_s);
    static const QRegularExpression sentence(u"[^\\W\\d_]{2,}\\W+\\w{2,}"_s);
    if (!headline.match(QString::fromUtf8(headOf(m_lines.at(head).words, longestArgument))).hasMatch()) {
        return -1;
    }
    for (qsizetype i = head + 1; i < m_lines.size() && i <= head + linesBelow; ++i) {
        const QByteArrayView words = headOf(m_lines.at(i).words, longestWords);
        if (words.trimmed().isEmpty()) {
            continue;
        }
        const bool isFree = !m_signs.contains(i) && !m_quoted.contains(i) && !isInBlock(i) && !isMildLine(words);
        return isFree && sentence.match(QString::fromUtf8(words)).hasMatch() ? i : -1;
    }
    return -1;
}

// What looks like an error and says nothing that is known.
void SignReader::readGeneric()
{
    static const QRegularExpression error(
        u"\\A(?:[\\w./-]+: )?(?:fatal(?: "
        u"error)?|FATAL|[Ee]rror|ERROR|panic|PANIC|CRITICAL|[Ff]ailed|Abort|Exception)\\b "
        u"?[:\\]\\[!(]"
        "|\\AException in thread \"|\\A(?:[A-Za-z_]\\w*\\.)*\\w*(?:Error|Exception)(?:: "
        "|\\s*\\z)|\\A\\[?E\\d{4}|\\A\\[(?:ERROR|FATAL|E)\\b"
        "|\\A[\\w./-]+ error: |\\AE: |\\A(?:PHP )?(?:Fatal|Parse) error: |\\b(?:ERROR|FATAL|CRITICAL)\\b|\\AError in "
        "[^:]+:|\\AFAILED \\S+|\\A\\S.* at \\S+ line \\d+\\.\\z|\\A\\S+: (?:cannot|can't|could not|unable to|failed "
        "to) "
        "|\\A[a-z][\\w-]*: \\S.* failed: \\S.* \\(\\d+\\)\\z"
        "|\\A(?:\\[[^\\]\\s]+\\] )?\\*\\*\\* MPI_ERR_(?!OTHER)\\w+: "
        "|\\A[A-Z][\\w/+-]* (?:[Ee]rror|ERROR|FATAL) ?: |\\Aforrtl: (?:severe|error) \\(|\\A\\[E::|\\AError "
        "termination "
        "|\\A(?:\\S*/)?(?:lua\\w*|th): \\S+\\.lua:\\d+: "
        "|\\Anpm (?:ERR!|error) (?!code |errno |syscall |path |dest |A complete log|Log files)\\S"_s);
    static const QRegularExpression metric(u"\\b(?:[Ee]rror(?: rate)?|ERROR rate)[:= ]+[-+]?[\\d.]+"_s);
    for (qsizetype i = std::max<qsizetype>(0, m_lines.size() - linesOfGeneric); i < m_lines.size(); ++i) {
        const QByteArrayView words = headOf(m_lines.at(i).words, longestWords);
        if (m_signs.contains(i) || m_quoted.contains(i) || words.isEmpty() || isInBlock(i)) {
            continue;
        }
        if (const qsizetype below = wordsBelow(i); below >= 0) {
            WhySign sign;
            sign.line = sign.last = below;
            sign.generic = sign.likely = true;
            insertText(
                sign.args, u"said"_s, QString::fromUtf8(headOf(m_lines.at(below).words, longestWords)).trimmed());
            m_quoted.insert(i);
            m_signs.insert(below, sign);
            continue;
        }
        // Fortran begins each line with one space.
        const bool isIndented = words.startsWith("  ") || words.startsWith(" \t");
        const QString text = QString::fromUtf8(words.startsWith(' ') ? words.sliced(1) : words);
        if (isIndented) {
            continue;
        }
        if (!error.match(text).hasMatch() || (metric.match(text).hasMatch() && !text.startsWith("[E::"_L1))
            || isMildLine(words)) {
            continue;
        }
        WhySign sign;
        sign.line = sign.last = i;
        sign.generic = sign.likely = true;
        insertText(sign.args, u"said"_s, text.trimmed());
        sign.frame = placeIn(text, sign);
        m_signs.insert(i, sign);
    }
}

// "BackendCompilerFailed: backend='inductor' raised:" shows less than the error that it passes on, right below.
qsizetype SignReader::passedOnBelow(qsizetype line) const
{
    const bool isPassedOn = m_lines.at(line).words.trimmed().endsWith(" raised:") && line + 1 < m_lines.size()
        && m_lines.at(line + 1).stream == m_lines.at(line).stream && !m_lines.at(line + 1).words.trimmed().isEmpty();
    return isPassedOn ? line + 1 : -1;
}

// NCCL says below its error what it met: "Last error:", and a line.
void SignReader::completeNccl(WhySign &sign) const
{
    constexpr qsizetype linesBelow = 6;
    if (sign.cause != "nccl-error"_L1) {
        return;
    }
    bool isNext = false;
    for (qsizetype i = sign.line + 1; i < m_lines.size() && i <= sign.line + linesBelow; ++i) {
        const QByteArrayView words = headOf(m_lines.at(i).words, longestWords).trimmed();
        if (m_lines.at(i).stream != m_lines.at(sign.line).stream || words.isEmpty()) {
            continue;
        }
        if (isNext) {
            insertText(sign.args, u"reason"_s, QString::fromUtf8(words));
            return;
        }
        isNext = words == QByteArrayView("Last error:");
    }
}

WhySigns SignReader::signsOf()
{
    for (qsizetype i = 0; i < m_blocks.size(); ++i) {
        if (m_blocks.at(i).context != PythonBlock::Context::Ignored) {
            WhySign sign = signOfBlock(m_causes, m_blocks.at(i), i);
            sign.shown = passedOnBelow(sign.line);
            m_signs.insert(sign.line, sign);
        }
    }
    readExceptions();
    readStacks();
    readCauses();
    addPlaces();
    readShells();
    readReports();
    readGeneric();
    WhySigns signs;
    signs.all = m_signs.values();
    for (WhySign &sign : signs.all) {
        completeNccl(sign);
    }
    std::sort(signs.all.begin(), signs.all.end(), [](const WhySign &a, const WhySign &b) { return a.line < b.line; });
    QByteArrayView stream;
    for (const WhyLine &line : m_lines) {
        if (!line.stream.isEmpty()
            && (line.stream.startsWith("[rank") || (!stream.isEmpty() && line.stream != stream))) {
            signs.hasManyProcesses = true;
            break;
        }
        stream = line.stream.isEmpty() ? stream : line.stream;
    }
    signs.hasManyProcesses
        = signs.hasManyProcesses || std::any_of(signs.all.cbegin(), signs.all.cend(), [](const WhySign &sign) {
              return !sign.weak && ((sign.role == Role::Report && sign.cause.isEmpty()) || sign.role == Role::Peer);
          });
    return signs;
}

} // namespace

qsizetype rootErrorOf(const FailureCauses &causes, const PythonBlock &block)
{
    qsizetype root = 0;
    for (qsizetype i = 1; i < block.errors.size(); ++i) {
        const WhyError &now = block.errors.at(root);
        const WhyError &next = block.errors.at(i);
        const bool isReport = isReportOf(causes, now);
        if (next.via == WhyError::Via::Nested) {
            root = isReport ? i : root;
            continue;
        }
        if (isReport && !isReportOf(causes, next)) {
            root = i;
            continue;
        }
        if (isReportOf(causes, next)) {
            continue;
        }
        if (next.type == now.type && next.message == now.message) {
            continue; // raised again
        }
        if (isCleanupAfter(now, next)) {
            continue; // what it does at its end fails, too
        }
        if (next.via == WhyError::Via::Direct) {
            root = isLookup(now) && saysMoreThan(now, next) ? i : root;
            continue;
        }
        // What is tried and handled by another way, which then fails.
        const bool isOtherWay = !next.isRaised && isProbing(now.type);
        root = isLookup(now) || isOtherWay ? i : root;
    }
    return root;
}

WhySigns whySignsIn(
    const FailureCauses &causes, QByteArrayView text, const QList<WhyLine> &lines, const QList<PythonBlock> &blocks)
{
    return SignReader(causes, text, lines, blocks).signsOf();
}

} // namespace trainyard::core
