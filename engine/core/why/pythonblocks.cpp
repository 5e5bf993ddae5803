// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/pythonblocks.h"

#include "engine/core/why/blockwords.h"
#include "engine/core/why/datalines.h"
#include "engine/core/why/errormessage.h"
#include "engine/core/why/framewords.h"
#include "engine/core/why/pythonlines.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr int linesThatInterrupt = 5; // of the same stream, from another process
constexpr int mostErrors = 40;

class BlockReader
{
public:
    explicit BlockReader(const QList<WhyLine> &lines) : m_lines(lines), m_words(lines) { }
    QList<PythonBlock> all();

private:
    std::optional<PythonBlock> blockAt(qsizetype index, bool headless);
    bool isMixedAt(qsizetype head) const;
    std::optional<WhyError> errorFrom(qsizetype from);
    qsizetype nextOf(qsizetype after, WhyError::Via &via) const;
    PythonBlock::Context contextOf(qsizetype index) const;

    const QList<WhyLine> &m_lines;
    BlockWords m_words; // of the block that is read
    qsizetype m_last = 0; // the last line that was read
    qsizetype m_lastFrame = -1; // the last frame from which, as from those before it, no exception was found
    bool m_isMixed = false; // the block has the frames of several processes, each of which wrote its own between
};

static QString placeOf(const WhyFrame &frame) { return frame.file + u':' + QString::number(frame.line); }

std::optional<WhyError> BlockReader::errorFrom(qsizetype from)
{
    std::optional<WhyFrame> own, outermost;
    QString innermost;
    bool hasSource = true, isRaised = false, isFlat = false;
    bool isWriting = false, isOwnWriting = false, isOfRequest = false;
    QSet<QString> places, cleanups, seen;
    QString place; // of the frame that is read
    const auto take = [&](const QString &at, const QString &name) {
        places.insert(at);
        if (isCleanupName(name)) {
            cleanups.insert(at);
        }
    };
    int others = 0, interrupting = 0, blanks = 0, frames = 0;
    for (qsizetype i = from; i < m_lines.size(); ++i) {
        const std::optional<QByteArrayView> words = m_words.at(i);
        if (!words) {
            if (++others > linesOfOtherProcesses) {
                m_lastFrame = -1; // from a later frame, there are fewer lines of others
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
        const std::optional<WhyFrame> frame = m_words.frameAt(i);
        const bool isBoxed = words->startsWith("│") || words->startsWith("╰");
        if (frame) {
            m_lastFrame = i;
            outermost = outermost ? outermost : frame;
            const QString at = placeOf(*frame);
            // One that another process has been at before is not where this one failed.
            const bool isOfSlower = m_isMixed && seen.contains(at);
            seen.insert(at);
            own = isLibraryFile(frame->file) || isOfSlower ? own : frame;
            innermost = isOfSlower ? innermost : frame->file;
            take(frame->file + u' ' + frame->function, frame->function.section(u'.', -1));
            place = at;
            // What a lookup in a mapping of Python's own calls passes nothing on.
            const bool isOfLookup
                = (frame->function.endsWith("__getitem__"_L1) || frame->function.endsWith("__missing__"_L1))
                && isLibraryFile(frame->file);
            frames += isOfLookup ? 0 : 1;
            isOfRequest = isOfRequest || isOfServerClient(frame->file);
            isOwnWriting = isLibraryFile(frame->file) && isOwnWriting;
            hasSource = isRaised = isWriting = false;
            isFlat = words->startsWith("File \"");
            interrupting = blanks = 0;
            continue;
        }
        // doctest shows an example and what it expected, and names no exception.
        const bool isExample = outermost && words->startsWith("Failed example:") && i + 1 < m_lines.size();
        // Without indentation, what stands below a frame is its source, unless it surely names an exception.
        const bool isFlatSource = isFlat && !hasSource && !isExample && !errorIn(*words, false);
        if (isBoxed || isFlatSource || words->startsWith(' ') || words->startsWith('\t')) {
            if (!hasSource && !isBoxed && !isMarks(*words)) {
                isRaised = words->trimmed().startsWith("raise");
                isWriting = opensToWrite(*words);
                isOwnWriting = isOwnWriting || (own && place == placeOf(*own) && isWriting);
                take(place, calledIn(*words));
                hasSource = true;
            }
            continue;
        }
        // "MXNetError: Traceback (most recent call last):" has one in its message, that of another language.
        const bool isQuoting = words->indexOf(tracebackMark) >= 0;
        if (isQuoting && !(outermost && errorIn(*words, false))) {
            return std::nullopt; // cut off: another one begins
        }
        // An error of a group that was never raised has no frames.
        const bool isMember = m_words.isGroup() && i == from;
        std::optional<WhyError> error
            = outermost || isMember ? errorIn(*words, !isQuoting && interrupting == 0) : std::nullopt;
        if (isExample) {
            error = WhyError();
            error->type = u"Failed example"_s;
            error->message = readWords(m_lines.at(i + 1).words).trimmed();
        }
        if (error) {
            error->line = i;
            error->own = own;
            error->outermost = outermost;
            error->innermost = innermost;
            error->isRaised = isRaised;
            error->isOfWriting = isWriting || isOwnWriting;
            error->isOfRequest = isOfRequest;
            error->places = places;
            error->cleanups = cleanups;
            error->frames = frames;
            m_last = isQuoting || isExample ? i : completeMessage(m_words, *error);
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
    qsizetype next = m_words.next(after + 1);
    while (next >= 0 && isMarks(*m_words.at(next))) {
        next = m_words.next(next + 1);
    }
    if (next < 0) {
        return -1;
    }
    QByteArrayView words = *m_words.at(next);
    if (const std::optional<WhyError::Via> link = linkIn(words)) {
        const qsizetype head = m_words.next(next + 1);
        via = *link;
        if (head >= 0 && m_words.at(head)->indexOf(tracebackMark) >= 0) {
            return head + 1;
        }
        // Ray names the task in place of the mark.
        return head >= 0 && head + 1 < m_lines.size() && m_words.at(head)->startsWith("ray::") && m_words.at(head + 1)
                && frameIn(*m_words.at(head + 1))
            ? head + 1
            : -1;
    }
    via = WhyError::Via::Nested;
    if (words.startsWith("-- Process ") || words.indexOf("terminated with the following error") >= 0) {
        next = m_words.next(next + 1);
        return next >= 0 && m_words.at(next)->indexOf(tracebackMark) >= 0 ? next + 1 : -1;
    }
    const qsizetype head = words.indexOf(tracebackMark);
    if (head >= 0) {
        const QByteArrayView before = words.first(head).trimmed();
        return before == QByteArrayView("Original") || before == QByteArrayView("Remote") || m_words.isGroup()
            ? next + 1
            : -1;
    }
    if (m_words.isGroup() && m_lines.at(next).words.trimmed().startsWith('|')) {
        return next;
    }
    return frameIn(words) && next <= after + 6 ? next : -1; // as Ray writes it: frames below the error
}

PythonBlock::Context BlockReader::contextOf(qsizetype index) const
{
    using Context = PythonBlock::Context;
    // "ERROR: ..." is also how programs speak of their end.
    static const QRegularExpression logged(u"(?:\\bERROR|\\bWARNING|\\bWARN|\\bCRITICAL|\\bFATAL)\\b(?!: )|\\[E\\]"_s);
    // What a program works on may look like a traceback: "sample: Traceback (most recent call last):".
    const qsizetype head = m_lines.at(index).words.indexOf(tracebackMark);
    if (head > 0 && isOfData(m_lines, index, head)) {
        return Context::Ignored;
    }
    static const QRegularExpression child(u"\\A(?:Process \\S+:|-- Process \\d+ terminated)"_s);
    for (qsizetype i = index - 1; i >= 0 && i > index - 40; --i) {
        if (m_lines.at(i).stream != m_words.stream()) {
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
        if (announcesData(words)) {
            return Context::Logged;
        }
        if (words.startsWith("Exception in thread ")) {
            return Context::Thread;
        }
        // The client of a tracking server writes beside the program.
        const QString text = words.startsWith("wandb: ") ? QString() : readWords(words);
        return child.match(text).hasMatch()                                                 ? Context::Child
            : logged.match(text).hasMatch() && !words.startsWith("ERROR:torch.distributed") ? Context::Logged
                                                                                            : Context::Plain;
    }
    return Context::Plain;
}

// Whether a traceback begins among the frames of another one, as when two processes fail in the same way.
bool BlockReader::isMixedAt(qsizetype head) const
{
    constexpr qsizetype framesBetween = 40; // lines
    for (qsizetype i = head - 1; i >= 0 && i > head - framesBetween; --i) {
        const QByteArrayView words = m_lines.at(i).words;
        if (m_lines.at(i).stream != m_lines.at(head).stream) {
            continue;
        }
        if (words.indexOf(tracebackMark) >= 0) {
            return true;
        }
        if (!words.startsWith("  ")) {
            return false;
        }
    }
    return false;
}

std::optional<PythonBlock> BlockReader::blockAt(qsizetype index, bool headless)
{
    m_words.begin(index, headless);
    m_last = index;
    m_lastFrame = -1;
    PythonBlock block;
    block.first = index;
    qsizetype from = headless ? index : index + 1;
    block.context = contextOf(index);
    m_isMixed = !headless && isMixedAt(index);
    if (!m_words.literal().isEmpty() && isMildLine(m_words.literal())) {
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
    // Other processes write between the lines of a block, so each stream has its own end.
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
            // Since this is not a complete traceback, its other frames do not count either, and are not read again.
            qsizetype last = std::max(i, m_lastFrame);
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
