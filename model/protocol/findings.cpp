// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/findings.h"

#include "model/protocol/rename.h"

#include <QSet>

#include <algorithm>

namespace trainyard
{

namespace
{

constexpr qsizetype maxDiagnostics = 500;

// Letters to change, add, drop, or exchange with their neighbour.
qsizetype distance(const QString &a, const QString &b)
{
    QList<QList<qsizetype>> rows(3, QList<qsizetype>(b.size() + 1));
    for (qsizetype j = 0; j <= b.size(); ++j) {
        rows[0][j] = j;
    }
    for (qsizetype i = 1; i <= a.size(); ++i) {
        QList<qsizetype> &row = rows[i % 3];
        const QList<qsizetype> &above = rows[(i + 2) % 3];
        const QList<qsizetype> &twoAbove = rows[(i + 1) % 3];
        row[0] = i;
        for (qsizetype j = 1; j <= b.size(); ++j) {
            const bool same = a.at(i - 1) == b.at(j - 1);
            row[j] = std::min({above.at(j - 1) + (same ? 0 : 1), above.at(j) + 1, row.at(j - 1) + 1});
            if (i > 1 && j > 1 && a.at(i - 1) == b.at(j - 2) && a.at(i - 2) == b.at(j - 1)) {
                row[j] = std::min(row.at(j), twoAbove.at(j - 2) + 1);
            }
        }
    }
    return rows.at(a.size() % 3).last();
}

// Whether an edit may be made at a place: not at a duplicate key, nor below one, below an alias or below a text.
bool isWithinReach(const YamlDocument &document, const YamlPath &path, bool isThere)
{
    YamlPath above;
    const YamlNode *node = document.root();
    for (qsizetype i = 0; node && i < path.size(); ++i) {
        const bool isText = node->kind == YamlNode::Kind::Scalar && !node->isNull();
        if (!node->editable || node->kind == YamlNode::Kind::Alias || isText) {
            return false;
        }
        above = std::visit([&above](const auto &each) { return above.child(each); }, path.at(i));
        node = document.find(above);
    }
    return node ? node->editable : !isThere;
}

// A place that an earlier one of the operations makes or changes is as that one leaves it.
bool mayBeMade(const YamlDocument &document, const QList<edit::Op> &ops)
{
    QSet<YamlPath> before;
    return std::all_of(ops.cbegin(), ops.cend(), [&](const edit::Op &op) {
        const YamlPath path = std::visit([](const auto &each) { return each.path; }, op);
        const bool isFirst = before.isEmpty();
        bool isMade = before.contains(path);
        for (YamlPath above = path; !isMade && !above.isEmpty();) {
            above = above.parent();
            isMade = before.contains(above);
        }
        before.insert(path);
        const bool isThere = std::holds_alternative<edit::Remove>(op) || std::holds_alternative<edit::RenameKey>(op);
        return isMade || isWithinReach(document, path, isThere && isFirst);
    });
}

} // namespace

Findings::Findings(const YamlDocument &document) : m_document(document) { }

ByteRange Findings::firstLine(ByteRange range) const
{
    const QByteArray &bytes = m_document.bytes();
    const qsizetype newline = bytes.indexOf('\n', range.begin);
    if (newline >= 0 && newline < range.end) {
        range.end = newline > range.begin && bytes.at(newline - 1) == '\r' ? newline - 1 : newline;
    }
    return range;
}

// The key of a map or list is the best place; when nothing is at the path, the nearest existing parent is used.
ByteRange Findings::rangeOf(const YamlPath &path, Point point) const
{
    for (YamlPath at = path;; at = at.parent()) {
        const YamlNode *node = m_document.find(at);
        if (node || at.isEmpty()) {
            const bool collection = node && node->kind != YamlNode::Kind::Scalar && node->kind != YamlNode::Kind::Alias;
            const std::optional<ByteRange> key = m_document.keyRange(at);
            if (key && (point == Point::Key || collection || at != path || node->at.length() == 0)) {
                return firstLine(*key);
            }
            return node ? firstLine(node->at) : ByteRange{};
        }
    }
}

Diagnostic &Findings::add(const QString &code, Severity severity, ServerVerdict server, const YamlPath &path,
    const QJsonObject &args, Point point)
{
    if (isFull()) {
        return drop(severity, server);
    }
    return addAt(code, severity, server, path, rangeOf(path, point), args);
}

Diagnostic &Findings::addAt(const QString &code, Severity severity, ServerVerdict server, const YamlPath &path,
    ByteRange at, const QJsonObject &args)
{
    if (isFull()) {
        return drop(severity, server);
    }
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.severity = severity;
    diagnostic.at = at;
    diagnostic.path = path;
    diagnostic.args = args;
    diagnostic.strict = server == ServerVerdict::Refuses;
    m_list.append(diagnostic);
    return m_list.last();
}

QString shownChange(const QString &from, const QString &to)
{
    constexpr qsizetype longest = 28; // what a button has room for
    constexpr qsizetype before = 10; // the difference
    if (to.size() <= longest) {
        return to;
    }
    const auto place = std::mismatch(from.cbegin(), from.cend(), to.cbegin(), to.cend()).second - to.cbegin();
    qsizetype begin = std::clamp<qsizetype>(place - before, 0, to.size() - longest);
    qsizetype end = begin + longest;
    begin -= begin > 0 && to.at(begin).isLowSurrogate() ? 1 : 0;
    end -= end < to.size() && to.at(end).isLowSurrogate() ? 1 : 0;
    const QString cut = QStringLiteral("…");
    return (begin > 0 ? cut : QString()) + to.sliced(begin, end - begin) + (end < to.size() ? cut : QString());
}

void Findings::fixRename(
    Diagnostic &diagnostic, const YamlPath &path, const QString &from, const QString &to, const QList<edit::Op> &simple)
{
    constexpr int maxRenames = 20;
    constexpr qsizetype maxBytes = 256 * 1024;
    QList<edit::Op> ops = simple;
    if (&diagnostic != &m_dropped && m_renames < maxRenames && m_document.bytes().size() < maxBytes) {
        ++m_renames;
        const Result<RenamePlan> plan = planRename(m_document, path, to);
        if (plan && plan->kind != NameKind::Other) { // the job's own name is a value, and nothing refers to it
            ops = plan->ops;
        } else if (!plan && plan.error().code == QLatin1String("rename.taken")) {
            return;
        }
    }
    if (!ops.isEmpty()) {
        fix(diagnostic, QStringLiteral("fix.rename"), {{QStringLiteral("name"), shownChange(from, to)}}, ops);
    }
}

bool Findings::isFull() const { return m_list.size() >= maxDiagnostics; }

Diagnostic &Findings::drop(Severity severity, ServerVerdict server)
{
    m_droppedRefused = m_droppedRefused || server == ServerVerdict::Refuses;
    m_droppedError = m_droppedError || severity == Severity::Error;
    m_dropped = {};
    return m_dropped;
}

void Findings::fix(Diagnostic &diagnostic, const QString &title, const QJsonObject &args, const QList<edit::Op> &ops)
{
    if (&diagnostic != &m_dropped && mayBeMade(m_document, ops)) {
        diagnostic.fixes.append({title, args, {}, ops});
    }
}

void Findings::fixText(Diagnostic &diagnostic, const QString &title, const TextEdits &edits, const QJsonObject &args)
{
    if (&diagnostic != &m_dropped) {
        diagnostic.fixes.append({title, args, edits});
    }
}

std::optional<Severity> Findings::takeBackMissing(const YamlPath &map, const QString &field)
{
    const auto found = std::find_if(m_list.cbegin(), m_list.cend(), [&](const Diagnostic &each) {
        return each.code == QLatin1String("field.required") && each.path == map
            && each.args.value(QLatin1String("field")) == field;
    });
    if (found == m_list.cend()) {
        return std::nullopt;
    }
    const Severity severity = found->severity;
    m_list.erase(found);
    return severity;
}

void Findings::takeBackFixes(const QString &code, const YamlPath &path)
{
    // A rule may have said more of the place since.
    for (qsizetype i = m_list.size() - 1; i >= 0 && m_list.at(i).path == path; --i) {
        if (m_list.at(i).code == code) {
            m_list[i].fixes.clear();
        }
    }
}

QList<Diagnostic> Findings::take()
{
    if (isFull()) {
        Diagnostic more;
        more.code = QStringLiteral("job.more-findings");
        more.severity = m_droppedError ? Severity::Error : Severity::Note;
        more.strict = m_droppedRefused;
        more.args = {{QStringLiteral("limit"), maxDiagnostics}};
        more.at = {m_document.bytes().size(), m_document.bytes().size()};
        m_list.append(more);
    }
    return std::exchange(m_list, {});
}

namespace
{

// "timeSecs" for "timeSeconds": its letters in their order, and at least half of them.
bool isAbbreviation(const QString &word, const QString &of)
{
    constexpr qsizetype shortest = 5; // fewer letters are in many words
    const auto isOfName
        = [](QChar c) { return c.isLetterOrNumber() || c == u'_' || c == u'-'; }; // files are not abbreviated
    if (word.size() < shortest || word.size() >= of.size() || 2 * word.size() < of.size() || word.front() != of.front()
        || !std::all_of(of.cbegin(), of.cend(), isOfName)) {
        return false;
    }
    qsizetype at = 0;
    for (const QChar c : of) {
        at += at < word.size() && word.at(at) == c ? 1 : 0;
    }
    return at == word.size();
}

} // namespace

// "work" of "workDir", as other programs call it.
static QString firstWordOf(const QString &word, const QStringList &candidates)
{
    constexpr qsizetype least = 4;
    QString best;
    for (const QString &candidate : candidates) {
        const bool isLonger = candidate.size() >= least && candidate.size() > best.size();
        if (isLonger && word.size() > candidate.size() && word.startsWith(candidate)
            && (word.at(candidate.size()).isUpper() || word.at(candidate.size()) == u'_')) {
            best = candidate;
        }
    }
    return best;
}

QString nearest(const QString &word, const QStringList &candidates)
{
    constexpr qsizetype maxLength = 64;
    constexpr qsizetype maxCandidates = 200;
    if (word.isEmpty() || word.size() > maxLength) {
        return {};
    }
    QString best;
    qsizetype bestDistance = std::max<qsizetype>(1, word.size() / 3) + 1;
    const QString lower = word.toLower();
    for (const QString &candidate : candidates.mid(0, maxCandidates)) {
        if (candidate == word || candidate.size() > maxLength
            || std::abs(candidate.size() - word.size()) >= bestDistance) {
            continue;
        }
        const qsizetype d = distance(lower, candidate.toLower());
        if (d < bestDistance) {
            best = candidate;
            bestDistance = d;
        }
    }
    if (!best.isEmpty()) {
        return best;
    }
    QStringList abbreviated;
    for (const QString &candidate : candidates.mid(0, maxCandidates)) {
        if (candidate.size() <= maxLength && isAbbreviation(lower, candidate.toLower())) {
            abbreviated.append(candidate);
        }
    }
    if (abbreviated.size() == 1) { // of several, none is more likely
        return abbreviated.constFirst();
    }
    return abbreviated.isEmpty() ? firstWordOf(word, candidates.mid(0, maxCandidates)) : QString();
}

YamlPath itemPath(const YamlDocument &document, const YamlPath &list, qsizetype i)
{
    const YamlNode *node = document.find(list);
    return node && node->resolved()->kind == YamlNode::Kind::Scalar ? list : list.child(i);
}

std::optional<ByteRange> writtenPart(
    const YamlDocument &document, const YamlPath &path, const QString &text, qsizetype begin, qsizetype end)
{
    const YamlNode *node = document.find(path);
    const QString part = text.mid(begin, end - begin);
    const QByteArray bytes = part.toUtf8();
    const QByteArray written = node ? document.bytes().sliced(node->at.begin, node->at.length()) : QByteArray();
    if (part.isEmpty() || !node || written.count(bytes) != text.count(part)) {
        return std::nullopt;
    }
    qsizetype at = -1;
    for (qsizetype place = text.indexOf(part); place >= 0 && place <= begin; place = text.indexOf(part, place + 1)) {
        at = written.indexOf(bytes, at + 1);
    }
    return at < 0 ? std::nullopt : std::optional(ByteRange{node->at.begin + at, node->at.begin + at + bytes.size()});
}

ByteRange rangeOfPart(
    const YamlDocument &document, const YamlPath &path, const QString &text, qsizetype begin, qsizetype end)
{
    const YamlNode *node = document.find(path);
    return writtenPart(document, path, text, begin, end).value_or(node ? node->at : ByteRange{});
}

} // namespace trainyard
