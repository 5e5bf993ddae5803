// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/pythonblocks.h"

#include "engine/core/why/pythonlines.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestMessage = 1200;
constexpr int linesOfOtherProcesses = 2000; // between two lines of one traceback
constexpr int linesThatInterrupt = 5; // of the same stream, from another process
constexpr int mostMessageLines = 12;
constexpr int mostUnindented = 4;
constexpr int mostErrors = 40;
constexpr int linesOfGraph = 600; // from an error of TensorFlow's graph to what it says

class BlockReader
{
public:
    explicit BlockReader(const QList<WhyLine> &lines) : m_lines(lines) { }
    QList<PythonBlock> all();

private:
    std::optional<PythonBlock> blockAt(qsizetype index, bool headless);
    std::optional<WhyFrame> frameAt(qsizetype index) const;
    std::optional<WhyError> errorFrom(qsizetype from);
    void continueMessage(WhyError &error);
    void readGraphError(WhyError &error);
    // The words of a line of the block that is read; nothing where another process wrote it.
    std::optional<QByteArrayView> wordsOf(qsizetype index) const;
    qsizetype nextWords(qsizetype from) const; // index of the next line of the block that is not blank, or -1
    qsizetype nextOf(qsizetype after, WhyError::Via &via) const;
    PythonBlock::Context contextOf(qsizetype index) const;

    const QList<WhyLine> &m_lines;
    QByteArrayView m_stream, m_literal; // of the block that is read
    bool m_isGroup = false;
    qsizetype m_last = 0; // the last line that was read
};

std::optional<QByteArrayView> BlockReader::wordsOf(qsizetype index) const
{
    const WhyLine &line = m_lines.at(index);
    if (line.stream != m_stream) {
        return std::nullopt;
    }
    QByteArrayView words = line.words;
    if (!m_literal.isEmpty()) {
        if (!words.startsWith(m_literal)) {
            return words.trimmed() == m_literal.trimmed() ? std::optional(QByteArrayView()) : std::nullopt;
        }
        words = words.sliced(m_literal.size());
    }
    if (m_isGroup) {
        qsizetype at = 0;
        while (at < words.size() && words[at] == ' ') {
            ++at;
        }
        if (at < words.size() && words[at] == '+') {
            return QByteArrayView(); // what separates the errors of a group
        }
        if (at < words.size() && words[at] == '|') {
            words = words.sliced(at + 1);
            words = words.startsWith(' ') ? words.sliced(1) : words;
        }
    }
    return words;
}

qsizetype BlockReader::nextWords(qsizetype from) const
{
    int others = 0, blanks = 0;
    for (qsizetype i = from; i < m_lines.size(); ++i) {
        const std::optional<QByteArrayView> words = wordsOf(i);
        if (!words) {
            if (++others > linesOfOtherProcesses) {
                return -1;
            }
        } else if (!isBlankWords(*words)) {
            return i;
        } else if (++blanks > 4) {
            return -1;
        }
    }
    return -1;
}

// A frame whose parts stand in several lines: rich breaks long paths where its box ends, and IPython before its version
// 8 names the line only by an arrow below.
std::optional<WhyFrame> BlockReader::frameAt(qsizetype index) const
{
    constexpr qsizetype linesOfSource = 12;
    static const QRegularExpression ofCell(
        u"\\A([~/][^:\\s]*\\.py|<ipython-input-[^>]+>) in (<module>|\\w+)(?:\\(|\\z)"_s);
    static const QRegularExpression arrow(u"\\A-+> (\\d+)"_s);
    static const QRegularExpression beginOfPath(u"\\A│ (?:❱ )?([~/]\\S*)\\s*│\\z"_s);
    static const QRegularExpression endOfPath(u"\\A│ (\\S*:\\d+ in .*)"_s);
    const QByteArrayView words = *wordsOf(index);
    if (const std::optional<WhyFrame> frame = frameIn(words)) {
        return frame;
    }
    const bool isBoxed = words.startsWith("│ ");
    if (!isBoxed && words.indexOf(QByteArrayView(" in ")) < 0) {
        return std::nullopt;
    }
    const QString text = readWords(words).trimmed();
    if (isBoxed) {
        const QRegularExpressionMatch begin = beginOfPath.match(text);
        const qsizetype next = begin.hasMatch() ? nextWords(index + 1) : -1;
        const QRegularExpressionMatch end
            = next >= 0 ? endOfPath.match(readWords(*wordsOf(next))) : QRegularExpressionMatch();
        return end.hasMatch() ? frameIn((u"│ "_s + begin.captured(1) + end.captured(1)).toUtf8()) : std::nullopt;
    }
    const QRegularExpressionMatch match = ofCell.match(text);
    for (qsizetype i = index + 1; match.hasMatch() && i < m_lines.size() && i < index + linesOfSource; ++i) {
        const std::optional<QByteArrayView> below = wordsOf(i);
        if (!below || isBlankWords(*below)) {
            break;
        }
        const QRegularExpressionMatch at = arrow.match(readWords(*below));
        if (at.hasMatch()) {
            return WhyFrame{match.captured(1), match.captured(2), at.captured(1).toInt()};
        }
    }
    return std::nullopt;
}

void BlockReader::continueMessage(WhyError &error)
{
    // All of it stands below where nothing follows the colon; an exception that has no message has no colon either.
    const std::optional<QByteArrayView> said = wordsOf(error.line);
    const bool isBare = error.message.isEmpty() && said && said->trimmed().endsWith(':');
    // Before it had a type of its own, what torch raises for a process that it spawned said so behind an empty line.
    const qsizetype below = isBare ? nextWords(error.line + 1) : -1;
    if (below > error.line + 1 && wordsOf(below)->startsWith("-- Process ")) {
        error.message = readWords(*wordsOf(below)).trimmed();
        return;
    }
    int lines = 0, unindented = error.message.endsWith(u':') ? 1 : isBare ? mostUnindented : 0;
    for (qsizetype i = error.line + 1; i < m_lines.size() && lines < mostMessageLines; ++i) {
        const std::optional<QByteArrayView> words = wordsOf(i);
        if (!words) {
            continue;
        }
        if (isBlankWords(*words) || words->indexOf(tracebackMark) >= 0 || linkIn(*words) || frameIn(*words)) {
            return;
        }
        if (isMarks(*words) || (isBare && isRuleOfMessage(*words))) {
            continue;
        }
        const bool isIndented = words->startsWith(' ') || words->startsWith('\t');
        if (!isIndented && (unindented-- <= 0 || isQuietLine(*words))) {
            return;
        }
        error.line = isBare && lines == 0 ? i : error.line;
        error.message += (error.message.isEmpty() ? QString() : u"\n"_s) + readWords(*words).trimmed();
        error.message.truncate(longestMessage);
        m_last = i;
        ++lines;
    }
}

// TensorFlow lists where a node of its graph was made, which looks like a traceback, before it says what failed there.
void BlockReader::readGraphError(WhyError &error)
{
    static const QRegularExpression root(u"\\A\\s+\\(0\\) "_s);
    if (!error.message.startsWith("Graph execution error:"_L1)) {
        return;
    }
    bool isBelowNode = false;
    const qsizetype end = std::min<qsizetype>(m_lines.size(), error.line + linesOfGraph);
    for (qsizetype i = error.line + 1; i < end; ++i) {
        const std::optional<QByteArrayView> words = wordsOf(i);
        if (!words || isBlankWords(*words)) {
            continue;
        }
        if (words->indexOf(tracebackMark) >= 0 || linkIn(*words) || words->trimmed().startsWith("[[{{node ")) {
            return;
        }
        const bool isOfNode = words->startsWith("Detected at node") || words->startsWith("Node: ")
            || words->startsWith("<stack traces unavailable>") || words->trimmed().endsWith("root error(s) found.");
        isBelowNode = isBelowNode || isOfNode;
        const bool isIndented = words->startsWith(' ') || words->startsWith('\t');
        if (isOfNode || (isIndented && isBelowNode && !root.match(readWords(*words)).hasMatch())) {
            m_last = i;
            continue;
        }
        if (isBelowNode) {
            error.line = m_last = i;
            error.message = readWords(*words).trimmed().left(longestMessage);
        }
        return;
    }
}

std::optional<WhyError> BlockReader::errorFrom(qsizetype from)
{
    std::optional<WhyFrame> own, outermost;
    QString innermost;
    bool hasSource = true, isRaised = false, isFlat = false;
    QSet<QString> places, cleanups;
    QString place; // of the frame that is read
    const auto take = [&](const QString &at, const QString &name) {
        places.insert(at);
        if (isCleanupName(name)) {
            cleanups.insert(at);
        }
    };
    int others = 0, interrupting = 0, blanks = 0, frames = 0;
    for (qsizetype i = from; i < m_lines.size(); ++i) {
        const std::optional<QByteArrayView> words = wordsOf(i);
        if (!words) {
            if (++others > linesOfOtherProcesses) {
                return std::nullopt;
            }
            continue;
        }
        if (isBlankWords(*words)) {
            if (++blanks > 2) {
                return std::nullopt;
            }
            continue;
        }
        const std::optional<WhyFrame> frame = frameAt(i);
        const bool isBoxed = words->startsWith("│") || words->startsWith("╰");
        if (frame) {
            outermost = outermost ? outermost : frame;
            own = isLibraryFile(frame->file) ? own : frame;
            innermost = frame->file;
            take(frame->file + u' ' + frame->function, frame->function.section(u'.', -1));
            place = frame->file + u':' + QString::number(frame->line);
            ++frames;
            hasSource = isRaised = false;
            isFlat = words->startsWith("File \"");
            interrupting = blanks = 0;
            continue;
        }
        // Without indentation, what stands below a frame is its source, unless it surely names an exception.
        const bool isFlatSource = isFlat && !hasSource && !errorIn(*words, false);
        if (isBoxed || isFlatSource || words->startsWith(' ') || words->startsWith('\t')) {
            if (!hasSource && !isBoxed && !isMarks(*words)) {
                isRaised = words->trimmed().startsWith("raise");
                take(place, calledIn(*words));
                hasSource = true;
            }
            continue;
        }
        if (words->indexOf(tracebackMark) >= 0) {
            return std::nullopt; // cut off: another one begins
        }
        // An error of a group that was never raised has no frames.
        const bool isMember = m_isGroup && i == from;
        std::optional<WhyError> error = outermost || isMember ? errorIn(*words, interrupting == 0) : std::nullopt;
        if (error) {
            error->line = m_last = i;
            error->own = own;
            error->outermost = outermost;
            error->innermost = innermost;
            error->isRaised = isRaised;
            error->places = places;
            error->cleanups = cleanups;
            error->frames = frames;
            continueMessage(*error);
            readGraphError(*error);
            return error;
        }
        if (++interrupting > linesThatInterrupt) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

// Where the frames of the next exception of this block begin, or -1.
qsizetype BlockReader::nextOf(qsizetype after, WhyError::Via &via) const
{
    qsizetype next = nextWords(after + 1);
    while (next >= 0 && isMarks(*wordsOf(next))) {
        next = nextWords(next + 1);
    }
    if (next < 0) {
        return -1;
    }
    QByteArrayView words = *wordsOf(next);
    if (const std::optional<WhyError::Via> link = linkIn(words)) {
        const qsizetype head = nextWords(next + 1);
        via = *link;
        return head >= 0 && wordsOf(head)->indexOf(tracebackMark) >= 0 ? head + 1 : -1;
    }
    via = WhyError::Via::Nested;
    if (words.startsWith("-- Process ") || words.indexOf("terminated with the following error") >= 0) {
        next = nextWords(next + 1);
        return next >= 0 && wordsOf(next)->indexOf(tracebackMark) >= 0 ? next + 1 : -1;
    }
    const qsizetype head = words.indexOf(tracebackMark);
    if (head >= 0) {
        const QByteArrayView before = words.first(head).trimmed();
        return before == QByteArrayView("Original") || before == QByteArrayView("Remote") || m_isGroup ? next + 1 : -1;
    }
    if (m_isGroup && m_lines.at(next).words.trimmed().startsWith('|')) {
        return next;
    }
    return frameIn(words) && next <= after + 6 ? next : -1; // as Ray writes it: frames below the error
}

PythonBlock::Context BlockReader::contextOf(qsizetype index) const
{
    using Context = PythonBlock::Context;
    // "ERROR: ..." is also how programs speak of their end.
    static const QRegularExpression logged(u"(?:\\bERROR|\\bWARNING|\\bWARN|\\bCRITICAL|\\bFATAL)\\b(?!: )|\\[E\\]"_s);
    static const QRegularExpression child(u"\\A(?:Process \\S+:|-- Process \\d+ terminated)"_s);
    for (qsizetype i = index - 1; i >= 0 && i > index - 40; --i) {
        if (m_lines.at(i).stream != m_stream) {
            continue;
        }
        const QByteArrayView words = m_lines.at(i).words;
        if (isBlankWords(words)) {
            return Context::Plain;
        }
        if (words.startsWith("Exception ignored ") || words.startsWith("Error in atexit")
            || words.startsWith("Error in sys.excepthook") || words.startsWith("--- Logging error ---")
            || words.startsWith("Error in sys.exitfunc")) {
            return Context::Ignored;
        }
        if (words.startsWith("Exception in thread ")) {
            return Context::Thread;
        }
        const QString text = readWords(words);
        return child.match(text).hasMatch()                                                 ? Context::Child
            : logged.match(text).hasMatch() && !words.startsWith("ERROR:torch.distributed") ? Context::Logged
                                                                                            : Context::Plain;
    }
    return Context::Plain;
}

std::optional<PythonBlock> BlockReader::blockAt(qsizetype index, bool headless)
{
    const WhyLine &line = m_lines.at(index);
    m_stream = line.stream;
    m_literal = {};
    m_isGroup = false;
    m_last = index;
    PythonBlock block;
    block.first = index;
    qsizetype from = index;
    if (!headless) {
        const qsizetype head = line.words.indexOf(tracebackMark);
        const QByteArrayView before = line.words.first(head);
        m_isGroup = before.endsWith("+ Exception Group ");
        // What stands before the mark belongs to each line of the block, or only to this one.
        const bool isRepeated = index + 1 < m_lines.size() && m_lines.at(index + 1).words.startsWith(before);
        if (!before.isEmpty() && !m_isGroup && isRepeated) {
            m_literal = before;
        } else if (!m_isGroup && index + 1 < m_lines.size()) {
            // Behind what a logger puts before each line, the first one may have words of its own.
            const QByteArrayView next = m_lines.at(index + 1).words;
            const qsizetype frame = next.indexOf(QByteArrayView("  File \""));
            if (frame > 0 && before.startsWith(next.first(frame).trimmed())) {
                m_literal = next.first(frame);
            }
        }
        from = index + 1;
    }
    block.context = contextOf(index);
    if (!m_literal.isEmpty() && isMildLine(m_literal)) {
        block.context = PythonBlock::Context::Logged;
    }
    WhyError::Via via = WhyError::Via::First;
    while (from >= 0 && block.errors.size() < mostErrors) {
        std::optional<WhyError> error = errorFrom(from);
        if (!error) {
            break;
        }
        error->via = via;
        block.errors.append(*error);
        block.last = m_last;
        from = nextOf(m_last, via);
    }
    return block.errors.isEmpty() ? std::nullopt : std::optional(block);
}

// Cython prints what it ignores twice: the traceback alone, then once more below "Exception ignored in".
void ignoreTwins(QList<PythonBlock> &blocks)
{
    for (qsizetype i = 0; i + 1 < blocks.size(); ++i) {
        const PythonBlock &next = blocks.at(i + 1);
        if (next.context != PythonBlock::Context::Ignored || next.errors.isEmpty() || blocks.at(i).errors.isEmpty()) {
            continue;
        }
        const WhyError &first = blocks.at(i).errors.constFirst(), &second = next.errors.constFirst();
        if (!first.own && first.type == second.type && first.message == second.message
            && first.frames == second.frames) {
            blocks[i].context = PythonBlock::Context::Ignored;
        }
    }
}

QList<PythonBlock> BlockReader::all()
{
    QList<PythonBlock> blocks;
    // Other processes write between the lines of a block, so a stream has its own end.
    QList<std::pair<QByteArrayView, qsizetype>> ends;
    for (qsizetype i = 0; i < m_lines.size(); ++i) {
        const WhyLine &line = m_lines.at(i);
        const bool isHead = line.words.indexOf(tracebackMark) >= 0;
        const bool mayBeFrame
            = line.words.startsWith("  ") || line.words.startsWith(" File ") || line.words.startsWith("File ");
        const bool isFrame = !isHead && mayBeFrame && frameIn(line.words).has_value();
        if (!isHead && !isFrame) {
            continue;
        }
        auto end = std::find_if(ends.begin(), ends.end(), [&](const auto &each) { return each.first == line.stream; });
        if (end != ends.end() && i <= end->second) {
            continue;
        }
        const std::optional<PythonBlock> block = blockAt(i, !isHead);
        if (end == ends.end()) {
            ends.append({line.stream, i});
            end = ends.end() - 1;
        }
        if (block) {
            blocks.append(*block);
            end->second = block->last;
        } else if (isFrame) {
            // Not a whole traceback: its other frames are none either.
            qsizetype last = i;
            while (last + 1 < m_lines.size() && m_lines.at(last + 1).words.startsWith("  ")) {
                ++last;
            }
            end->second = last;
        }
    }
    ignoreTwins(blocks);
    return blocks;
}

} // namespace

QList<PythonBlock> pythonBlocksIn(const QList<WhyLine> &lines) { return BlockReader(lines).all(); }

} // namespace trainyard::core
