// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/legacyjson.h"

#include "model/base/utf8.h"
#include "model/yaml/yamldocument.h"

#include <QHash>
#include <QStringDecoder>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::legacy
{

namespace
{

constexpr qsizetype maxDiagnostics = 50;

class Reader
{
public:
    explicit Reader(const QByteArray &bytes) : m_bytes(bytes) { }

    Text read()
    {
        if (m_bytes.startsWith("\xEF\xBB\xBF")) {
            m_at = 3;
        }
        m_tokenEnd = m_at;
        take(skip(), nullptr, m_text.comments);
        if (m_failed) {
            return m_text;
        }
        if (m_at >= m_bytes.size()) {
            error("legacy.json.empty", m_at, 0);
            return m_text;
        }
        m_text.root = value(0);
        if (m_failed) {
            return m_text;
        }
        take(skip(), nullptr, m_text.comments);
        if (!m_failed && m_at < m_bytes.size()) {
            error("legacy.json.rest", m_at, 1);
        }
        m_text.complete = !m_failed;
        return m_text;
    }

private:
    struct Comment {
        QString text;
        bool behind = false; // on the line of what stands before it
    };

    void note(const char *code, Severity severity, ByteRange at, const QJsonObject &args = {})
    {
        if (m_text.diagnostics.size() < maxDiagnostics) {
            Diagnostic d;
            d.code = QString::fromLatin1(code);
            d.severity = severity;
            d.at = at;
            d.args = args;
            m_text.diagnostics.append(d);
        }
    }

    void error(const char *code, qsizetype at, qsizetype length)
    {
        if (m_failed) {
            return;
        }
        m_failed = true;
        const qsizetype end = std::min(at + length, m_bytes.size());
        note(code, Severity::Error, {std::min(at, end), end});
    }

    char peek() const { return m_at < m_bytes.size() ? m_bytes.at(m_at) : '\0'; }

    void advance(qsizetype length)
    {
        m_at += length;
        m_tokenEnd = m_at;
    }

    // Blanks and comments before the next token.
    QList<Comment> skip()
    {
        QList<Comment> comments;
        while (m_at < m_bytes.size()) {
            const char c = m_bytes.at(m_at);
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                ++m_at;
                continue;
            }
            if (c != '/' || m_at + 1 >= m_bytes.size()) {
                break;
            }
            const qsizetype begin = m_at;
            qsizetype end = 0;
            qsizetype next = 0;
            if (m_bytes.at(m_at + 1) == '/') {
                end = m_bytes.indexOf('\n', begin);
                end = end < 0 ? m_bytes.size() : end;
                next = end;
            } else if (m_bytes.at(m_at + 1) == '*') {
                end = m_bytes.indexOf("*/", begin + 2);
                if (end < 0) {
                    error("legacy.json.comment", begin, 2);
                    return comments;
                }
                next = end + 2;
            } else {
                break;
            }
            const bool behind
                = m_tokenEnd > 0 && !QByteArrayView(m_bytes).sliced(m_tokenEnd, begin - m_tokenEnd).contains('\n');
            comments.append({commentText(m_bytes.mid(begin + 2, end - begin - 2)), behind});
            m_at = next;
        }
        return comments;
    }

    static QString commentText(const QByteArray &bytes)
    {
        QStringList lines = textFromUtf8(bytes).split(u'\n');
        const bool several = lines.size() > 1;
        for (QString &line : lines) {
            line = line.trimmed();
            if (several && line.startsWith(u'*')) {
                line = line.mid(1).trimmed();
            }
        }
        while (lines.size() > 1 && lines.first().isEmpty()) {
            lines.removeFirst();
        }
        while (lines.size() > 1 && lines.last().isEmpty()) {
            lines.removeLast();
        }
        return lines.join(u'\n');
    }

    // Comments behind what was read last go to `last`, the others to `next`.
    static void take(const QList<Comment> &comments, QStringList *last, QStringList &next)
    {
        for (const Comment &comment : comments) {
            (comment.behind && last && next.isEmpty() ? *last : next).append(comment.text);
        }
    }

    Node value(int depth)
    {
        Node node;
        node.at = {m_at, m_at};
        if (depth > maxDepth) {
            error("legacy.json.deep", m_at, 1);
            return node;
        }
        const char c = peek();
        if (c == '{' || c == '[') {
            container(node, c == '{', depth);
        } else if (c == '"') {
            node.kind = Node::Kind::Text;
            node.text = string();
        } else if (c == '-' || (c >= '0' && c <= '9')) {
            number(node);
        } else if (word("true") || word("false")) {
            node.kind = Node::Kind::Bool;
            node.boolean = c == 't';
        } else if (!word("null")) {
            error("legacy.json.value", m_at, 1);
        }
        node.at.end = m_at;
        return node;
    }

    bool word(const char *expected)
    {
        const qsizetype length = qsizetype(qstrlen(expected));
        if (m_bytes.mid(m_at, length) != expected) {
            return false;
        }
        advance(length);
        return true;
    }

    void number(Node &node)
    {
        const qsizetype begin = m_at;
        qsizetype at = m_at + (peek() == '-' ? 1 : 0);
        const auto digits = [&] {
            const qsizetype from = at;
            while (at < m_bytes.size() && m_bytes.at(at) >= '0' && m_bytes.at(at) <= '9') {
                ++at;
            }
            return at > from;
        };
        bool good = digits();
        if (good && at < m_bytes.size() && m_bytes.at(at) == '.') {
            ++at;
            good = digits();
        }
        if (good && at < m_bytes.size() && (m_bytes.at(at) == 'e' || m_bytes.at(at) == 'E')) {
            ++at;
            at += at < m_bytes.size() && (m_bytes.at(at) == '+' || m_bytes.at(at) == '-') ? 1 : 0;
            good = digits();
        }
        if (!good) {
            error("legacy.json.number", begin, at - begin);
            return;
        }
        node.kind = Node::Kind::Number;
        node.text = QString::fromLatin1(m_bytes.mid(begin, at - begin));
        advance(at - begin);
    }

    QString string()
    {
        const qsizetype begin = m_at;
        QString result;
        qsizetype from = ++m_at;
        const auto flush = [&] { result += textFromUtf8(m_bytes.mid(from, m_at - from)); };
        while (m_at < m_bytes.size() && m_bytes.at(m_at) != '"') {
            const char c = m_bytes.at(m_at);
            if (uchar(c) < 0x20 && !m_saidControl) {
                m_saidControl = true;
                note("legacy.json.control", Severity::Warning, {m_at, m_at + 1});
            }
            if (c != '\\') {
                ++m_at;
                continue;
            }
            flush();
            if (!escape(result)) {
                error("legacy.json.escape", m_at, 2);
                return {};
            }
            from = m_at;
        }
        if (m_at >= m_bytes.size()) {
            error("legacy.json.text", begin, 1);
            return {};
        }
        flush();
        advance(1);
        return result;
    }

    bool escape(QString &result)
    {
        static const QHash<char, char> simple{
            {'"', '"'}, {'\\', '\\'}, {'/', '/'}, {'b', '\b'}, {'f', '\f'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}};
        const char kind = m_at + 1 < m_bytes.size() ? m_bytes.at(m_at + 1) : '\0';
        if (const auto it = simple.constFind(kind); it != simple.constEnd()) {
            result += QLatin1Char(*it);
            m_at += 2;
            return true;
        }
        bool good = false;
        const QByteArray digits = m_bytes.mid(m_at + 2, 4);
        const ushort code = digits.toUShort(&good, 16);
        if (kind != 'u' || digits.size() != 4 || !good || digits.contains('+') || digits.contains('x')) {
            return false;
        }
        result += QChar(code);
        m_at += 6;
        return true;
    }

    void container(Node &node, bool map, int depth)
    {
        const qsizetype begin = m_at;
        const char closing = map ? '}' : ']';
        node.kind = map ? Node::Kind::Map : Node::Kind::List;
        advance(1);
        QStringList pending;
        QHash<QString, size_t> index;
        bool comma = true;
        qsizetype commaAt = -1;
        while (!m_failed) {
            QStringList *last = node.members.empty() ? nullptr : &node.members.back().comments;
            take(skip(), last, pending);
            if (m_failed) {
                return;
            }
            if (m_at >= m_bytes.size()) {
                error(map ? "legacy.json.map-end" : "legacy.json.list-end", begin, 1);
                return;
            }
            if (peek() == closing) {
                if (commaAt >= 0) {
                    note("legacy.json.trailing-comma", Severity::Warning, {commaAt, commaAt + 1});
                }
                (last ? *last : m_text.comments) += pending;
                advance(1);
                return;
            }
            if (!comma && peek() == ',') {
                comma = true;
                commaAt = m_at;
                advance(1);
                continue;
            }
            if (!comma) {
                error("legacy.json.comma", m_at, 1);
                return;
            }
            comma = false;
            commaAt = -1;
            member(node, map, depth, pending, index);
        }
    }

    void member(Node &node, bool map, int depth, QStringList &pending, QHash<QString, size_t> &index)
    {
        Member member;
        member.comments = pending;
        pending.clear();
        if (map) {
            if (peek() != '"') {
                error("legacy.json.key", m_at, 1);
                return;
            }
            const qsizetype from = m_at;
            member.key = string();
            member.keyAt = {from, m_at};
            take(skip(), nullptr, member.comments);
            if (m_failed || peek() != ':') {
                error("legacy.json.colon", m_at, 1);
                return;
            }
            advance(1);
            take(skip(), nullptr, member.comments);
        }
        if (m_failed) {
            return;
        }
        member.value = value(depth + 1);
        if (!map) {
            node.members.push_back(std::move(member));
            return;
        }
        const auto same = index.constFind(member.key);
        if (same == index.constEnd()) {
            index.insert(member.key, node.members.size());
            node.members.push_back(std::move(member));
            return;
        }
        note("legacy.json.duplicate-key", Severity::Warning, member.keyAt, {{u"field"_s, member.key}});
        node.members[*same] = std::move(member);
    }

    QByteArray m_bytes;
    qsizetype m_at = 0;
    qsizetype m_tokenEnd = 0;
    bool m_failed = false;
    bool m_saidControl = false;
    Text m_text;
};

} // namespace

const Member *Node::find(const QString &key) const
{
    const auto it
        = std::find_if(members.begin(), members.end(), [&](const Member &member) { return member.key == key; });
    return it == members.end() ? nullptr : &*it;
}

Text readJson(const QByteArray &bytes)
{
    const auto refuse = [](const char *code, ByteRange at) {
        Text text;
        Diagnostic d;
        d.code = QString::fromLatin1(code);
        d.at = at;
        text.diagnostics.append(d);
        return text;
    };
    if (bytes.size() > maxCheckedBytes) {
        return refuse("legacy.json.too-large", {0, 0});
    }
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString decoded = decoder(bytes);
    if (decoder.hasError()) {
        return refuse("legacy.json.encoding", {0, 0});
    }
    return Reader(bytes).read();
}

} // namespace trainyard::legacy
