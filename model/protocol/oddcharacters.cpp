// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/oddcharacters.h"

#include "model/base/utf8.h"
#include "model/protocol/commandpath.h"
#include "model/yaml/yamledit.h"
#include "model/yaml/yamllex.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype most = 50; // of a text that is full of them
constexpr int mostFixes = 20; // each is tried, which costs a parse

enum class Odd { None, Blank, Invisible, Colon, Quote };

Odd oddOf(char16_t c)
{
    if (c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000) {
        return Odd::Blank;
    }
    if (c == 0xAD || (c >= 0x200B && c <= 0x200F) || (c >= 0x2060 && c <= 0x2064) || c == 0xFEFF
        || (c >= 0x202A && c <= 0x202E)) {
        return Odd::Invisible;
    }
    if (c == 0xFF1A || c == 0xFE55) {
        return Odd::Colon;
    }
    if (c == 0xFF02 || c == 0xFF07 || (c >= 0x201C && c <= 0x201F)) {
        return Odd::Quote;
    }
    return Odd::None;
}

QString replacement(Odd odd, char16_t c)
{
    switch (odd) {
    case Odd::Blank:
        return u" "_s;
    case Odd::Colon:
        return u": "_s;
    case Odd::Quote:
        return c == 0xFF07 ? u"'"_s : u"\""_s;
    default:
        return {};
    }
}

const char *codeOf(Odd odd)
{
    return odd == Odd::Blank ? "yaml.odd-blank"
        : odd == Odd::Colon  ? "yaml.odd-colon"
        : odd == Odd::Quote  ? "yaml.odd-quote"
                             : "yaml.odd-invisible";
}

bool isAscii(const QByteArray &bytes)
{
    return std::all_of(bytes.cbegin(), bytes.cend(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Which of them matter in a text.
enum class Sort {
    Name, // keys, names, addresses, numbers: none belongs there
    Command, // what a shell reads: blanks and what cannot be seen; quotes that open and close
    Prose // a text of the user's: only around it
};

class OddCharacters
{
public:
    explicit OddCharacters(const YamlDocument &document) : m_document(document), m_bytes(document.bytes()) { }
    QList<Diagnostic> run();

private:
    void walk(const YamlNode *node, const YamlPath &path);
    void scalar(const YamlNode *node, const YamlPath &path, Sort sort);
    void lines();
    void add(Odd odd, char16_t character, ByteRange at, const YamlPath &path, const TextEdits &edits);

    const YamlDocument &m_document;
    QByteArray m_bytes;
    QList<Diagnostic> m_found;
    int m_fixes = 0;
};

void OddCharacters::add(Odd odd, char16_t character, ByteRange at, const YamlPath &path, const TextEdits &edits)
{
    Diagnostic diagnostic;
    diagnostic.code = QLatin1String(codeOf(odd));
    diagnostic.severity = Severity::Warning;
    diagnostic.at = at;
    diagnostic.path = path;
    diagnostic.args = {{u"character"_s, u"U+%1"_s.arg(uint(character), 4, 16, QLatin1Char('0')).toUpper()}};
    // A quote may open what was only a letter before: offered where the text is as good as it was, or better.
    if (!edits.isEmpty() && m_fixes++ < mostFixes) {
        const YamlDocument after = YamlDocument::parse(applyEdits(m_bytes, edits));
        if (after.isWellFormed() || !m_document.isWellFormed()) {
            diagnostic.fixes.append({u"fix.odd-characters"_s, {}, edits});
        }
    }
    m_found.append(diagnostic);
}

// One finding for a scalar, with all that is odd in it as one fix.
void OddCharacters::scalar(const YamlNode *node, const YamlPath &path, Sort sort)
{
    const QByteArray source = m_bytes.mid(node->at.begin, node->at.length());
    if (m_found.size() >= most || isAscii(source)) {
        return;
    }
    const QString text = textFromUtf8(source);
    static const QRegularExpression keyLike(u"^[A-Za-z_][\\w-]*[\uFF1A\uFE55]"_s);
    const bool likeKey = node->style == YamlNode::Style::Plain && keyLike.match(text).hasMatch();
    qsizetype quotes = 0;
    for (const QChar c : text) {
        quotes += oddOf(c.unicode()) == Odd::Quote ? 1 : 0;
    }
    const QChar first = text.isEmpty() ? QChar() : text.front();
    const bool quoted = node->style == YamlNode::Style::Plain && quotes > 0 && oddOf(first.unicode()) == Odd::Quote
        && oddOf(text.back().unicode()) == Odd::Quote;
    const bool escapes = node->style == YamlNode::Style::DoubleQuoted || node->style == YamlNode::Style::SingleQuoted;
    TextEdits edits;
    Odd worst = Odd::None;
    char16_t character = 0;
    ByteRange at;
    qsizetype offset = node->at.begin;
    bool colonSeen = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const qsizetype length = QStringView(text).mid(i, 1).toUtf8().size();
        const char16_t c = text.at(i).unicode();
        if (text.at(i).isHighSurrogate() && i + 1 < text.size()) {
            offset += 4;
            ++i;
            continue;
        }
        Odd odd = oddOf(c);
        // Joiners belong to some scripts, and to pictures made of several.
        const auto isPlain
            = [&text](qsizetype place) { return place < 0 || place >= text.size() || text.at(place).unicode() < 0x80; };
        if ((c == 0x200C || c == 0x200D) && !(isPlain(i - 1) && isPlain(i + 1))) {
            odd = Odd::None;
        }
        bool wanted = false;
        const bool edge = i == 0 || i + 1 == text.size();
        switch (odd) {
        case Odd::None:
            break;
        case Odd::Blank:
            wanted = sort != Sort::Prose || (edge && !escapes);
            break;
        case Odd::Invisible:
            wanted = sort != Sort::Prose || (edge && !escapes);
            break;
        case Odd::Colon:
            wanted = likeKey && !colonSeen;
            colonSeen = true;
            break;
        case Odd::Quote:
            wanted = quoted ? edge : sort == Sort::Command && quotes >= 2;
            break;
        }
        if (wanted) {
            if (worst == Odd::None) {
                worst = odd;
                character = c;
                at = {offset, offset + length};
            }
            const bool blankFollows = i + 1 < text.size() && text.at(i + 1).isSpace();
            QByteArray good = replacement(odd, c).toUtf8();
            if (odd == Odd::Colon && blankFollows) {
                good = ":";
            }
            if (odd == Odd::Quote && escapes) {
                good = node->style == YamlNode::Style::DoubleQuoted ? (good == "\"" ? "\\\"" : good)
                                                                    : (good == "'" ? "''" : good);
            }
            edits.append({{offset, offset + length}, good});
        }
        offset += length;
    }
    if (worst != Odd::None) {
        add(worst, character, at, path, edits);
    }
}

bool isProse(const YamlPath &path)
{
    static const QStringList prose{u"description"_s, u"contributor"_s};
    const auto *last = path.isEmpty() ? nullptr : std::get_if<QString>(&path.last());
    const auto *head = path.isEmpty() ? nullptr : std::get_if<QString>(&path.at(0));
    return (last && prose.contains(*last))
        || (head && (*head == u"parameters" || *head == u"secrets" || *head == u"extras"));
}

void OddCharacters::walk(const YamlNode *node, const YamlPath &path)
{
    if (node->kind == YamlNode::Kind::Scalar) {
        scalar(node, path, isCommandPath(path) ? Sort::Command : isProse(path) ? Sort::Prose : Sort::Name);
        return;
    }
    if (node->kind == YamlNode::Kind::Alias || isAscii(m_bytes.mid(node->at.begin, node->at.length()))) {
        return;
    }
    for (qsizetype i = 0; i < node->entries.size() && m_found.size() < most; ++i) {
        const YamlNode::Entry &entry = node->entries.at(i);
        const YamlPath place = entry.key ? path.child(textFromUtf8(entry.key->scalar)) : path.child(i);
        if (entry.key && entry.key->kind == YamlNode::Kind::Scalar) {
            scalar(entry.key, place, Sort::Name);
        }
        walk(entry.value, place);
    }
}

// In a text that is not YAML: indentation, and keys with an odd colon.
void OddCharacters::lines()
{
    static const QRegularExpression key(u"^[ \\t]*(?:- +)*[\"']?[A-Za-z_][\\w-]*[\"']?([\uFF1A\uFE55])"_s);
    qsizetype begin = yamllex::bomLength(m_bytes);
    while (begin < m_bytes.size() && m_found.size() < most) {
        const qsizetype newline = m_bytes.indexOf('\n', begin);
        const qsizetype end = newline < 0 ? m_bytes.size() : newline;
        const QByteArray bytes = m_bytes.mid(begin, end - begin);
        if (!isAscii(bytes)) {
            const QString line = textFromUtf8(bytes);
            qsizetype indent = 0;
            TextEdits edits;
            char16_t character = 0;
            qsizetype offset = begin;
            while (
                indent < line.size() && (line.at(indent) == u' ' || oddOf(line.at(indent).unicode()) == Odd::Blank)) {
                const qsizetype length = QStringView(line).mid(indent, 1).toUtf8().size();
                if (line.at(indent) != u' ') {
                    character = character ? character : line.at(indent).unicode();
                    edits.append({{offset, offset + length}, " "});
                }
                offset += length;
                ++indent;
            }
            if (!edits.isEmpty()) {
                add(Odd::Blank, character, {begin, offset}, {}, edits);
            }
            if (const auto match = key.match(line); match.hasMatch()) {
                const qsizetype at = begin + line.left(match.capturedStart(1)).toUtf8().size();
                const qsizetype length = match.captured(1).toUtf8().size();
                const bool blank = match.capturedEnd(1) >= line.size() || line.at(match.capturedEnd(1)).isSpace();
                add(Odd::Colon, match.captured(1).at(0).unicode(), {at, at + length}, {},
                    {{{at, at + length}, blank ? ":" : ": "}});
            }
        }
        begin = end + 1;
    }
}

QList<Diagnostic> OddCharacters::run()
{
    const auto isUnread = [](const Diagnostic &each) {
        return each.code == u"yaml.not-utf8" || each.code == u"yaml.nul" || each.code == u"yaml.bom-utf16";
    };
    const QList<Diagnostic> &said = m_document.diagnostics();
    if (isAscii(m_bytes) || std::any_of(said.cbegin(), said.cend(), isUnread)) {
        return {};
    }
    if (m_document.root() && m_document.isComplete()) {
        walk(m_document.root(), {});
    } else {
        lines();
    }
    return m_found;
}

} // namespace

QList<Diagnostic> checkOddCharacters(const YamlDocument &document) { return OddCharacters(document).run(); }

} // namespace trainyard
