// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/shownsecrets.h"

#include "model/base/utf8.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/plugins.h"

#include <QHash>

#include <algorithm>

namespace trainyard
{
namespace
{

// The lines of a text that is not YAML, read only to find secrets.
class SecretLines
{
public:
    explicit SecretLines(const QByteArray &bytes) : m_bytes(bytes) { }
    QList<ByteRange> ranges();

private:
    void takeLine(qsizetype begin, qsizetype end);
    void takePassword(qsizetype begin, qsizetype end);
    void hide(qsizetype begin, qsizetype end);
    // Behind the colon of the key that begins at `begin`, with or without quotes; -1 where no key is.
    qsizetype behindKey(qsizetype begin, qsizetype end, QByteArrayView key = {}) const;

    const QByteArray &m_bytes;
    QList<ByteRange> m_ranges;
    bool m_inSecrets = false;
    qsizetype m_valueIndent = -1; // of the last key with a value: deeper lines go on with it
};

qsizetype SecretLines::behindKey(qsizetype begin, qsizetype end, QByteArrayView key) const
{
    qsizetype at = begin;
    const char quote = at < end && (m_bytes.at(at) == '"' || m_bytes.at(at) == '\'') ? m_bytes.at(at++) : '\0';
    const qsizetype from = at;
    while (at < end && (quote ? m_bytes.at(at) != quote : m_bytes.at(at) != ':')) {
        ++at;
    }
    QByteArrayView found = QByteArrayView(m_bytes).sliced(from, at - from);
    if (quote && at < end) {
        ++at;
    } else if (!quote) {
        found = found.trimmed();
    }
    while (at < end && m_bytes.at(at) == ' ') {
        ++at;
    }
    const bool isKey = at < end && m_bytes.at(at) == ':' && (key.isEmpty() ? !found.isEmpty() : found == key);
    return isKey ? at + 1 : -1;
}

void SecretLines::hide(qsizetype begin, qsizetype end)
{
    while (begin < end && (m_bytes.at(begin) == ' ' || m_bytes.at(begin) == '\t')) {
        ++begin;
    }
    while (begin < end && QByteArrayView(" \t\r").contains(m_bytes.at(end - 1))) {
        --end;
    }
    if (begin < end) {
        m_ranges.append({begin, end});
    }
}

// A reference to a secret shows nothing of it.
void SecretLines::takePassword(qsizetype begin, qsizetype end)
{
    // Only the line is searched: a text of many lines without the word would be read to its end for each of them.
    const QByteArrayView upToEnd = QByteArrayView(m_bytes).first(end);
    for (qsizetype at = upToEnd.indexOf("password", begin); at >= 0; at = upToEnd.indexOf("password", at + 1)) {
        const bool isQuoted = at > begin && (m_bytes.at(at - 1) == '"' || m_bytes.at(at - 1) == '\'');
        const qsizetype value = behindKey(isQuoted ? at - 1 : at, end, "password");
        if (value >= 0 && !m_bytes.mid(value, end - value).contains("<%")) {
            hide(value, end);
            return;
        }
    }
}

void SecretLines::takeLine(qsizetype begin, qsizetype end)
{
    qsizetype text = begin;
    while (text < end && (m_bytes.at(text) == ' ' || m_bytes.at(text) == '\t')) {
        ++text;
    }
    if (text == end || m_bytes.at(text) == '\r' || m_bytes.at(text) == '#') {
        return;
    }
    const qsizetype indent = text - begin;
    if (indent == 0 && !QByteArrayView("-}]").contains(m_bytes.at(text))) {
        const qsizetype value = behindKey(begin, end, "secrets");
        m_inSecrets = value >= 0;
        m_valueIndent = -1;
        if (m_inSecrets) {
            const QByteArray rest = m_bytes.mid(value, end - value).trimmed();
            if (!rest.startsWith('#') && rest != "{") {
                hide(value, end);
            }
            return;
        }
    }
    if (!m_inSecrets) {
        takePassword(text, end);
        return;
    }
    const bool goesOn = m_valueIndent >= 0 && indent > m_valueIndent;
    const qsizetype value = goesOn ? -1 : behindKey(text, end);
    if (value < 0) {
        hide(text, end);
        return;
    }
    const QByteArray rest = m_bytes.mid(value, end - value).trimmed();
    m_valueIndent = rest.isEmpty() || rest.startsWith('#') ? -1 : indent;
    if (m_valueIndent >= 0) {
        hide(value, end);
    }
}

QList<ByteRange> SecretLines::ranges()
{
    qsizetype begin = m_bytes.startsWith("\xef\xbb\xbf") ? 3 : 0;
    while (begin < m_bytes.size()) {
        const qsizetype newline = m_bytes.indexOf('\n', begin);
        const qsizetype end = newline < 0 ? m_bytes.size() : newline;
        takeLine(begin, end);
        begin = end + 1;
    }
    return m_ranges;
}

// A value in a text that ends in an error may extend to the end of the text: then its lines show better where it ends.
QList<ByteRange> withLines(const QList<ByteRange> &values, QList<ByteRange> lines)
{
    const QList<ByteRange> told = lines;
    for (const ByteRange &value : values) {
        if (std::none_of(told.cbegin(), told.cend(),
                [&value](const ByteRange &line) { return line.begin < value.end && value.begin < line.end; })) {
            lines.append(value);
        }
    }
    std::sort(lines.begin(), lines.end(), [](const ByteRange &a, const ByteRange &b) { return a.begin < b.begin; });
    return lines;
}

QByteArray withoutQuotes(QByteArray text)
{
    const bool isQuoted = text.size() > 1 && (text.startsWith('"') || text.startsWith('\''));
    if (isQuoted) {
        const qsizetype end = text.indexOf(text.at(0), 1);
        text = end < 0 ? text.mid(1) : text.mid(1, end - 1);
    }
    return text;
}

// The text in the ranges as programs get it, as far as this is known without reading it as YAML.
QList<QByteArray> valuesAt(const QByteArray &bytes, const QList<ByteRange> &ranges)
{
    QList<QByteArray> values;
    for (const ByteRange &range : ranges) {
        const QByteArray written = bytes.mid(range.begin, range.length());
        const QByteArray value = withoutQuotes(written.trimmed());
        if (value.size() >= shortestMaskedSecret && value != maskedText().toUtf8() && !value.contains('\n')) {
            values.append(value);
        }
    }
    return values;
}

QHash<QString, QByteArray> valuesByName(const YamlDocument &document)
{
    QHash<QString, QByteArray> values;
    const QList<SecretValue> secrets = secretValuesIn(document);
    for (const SecretValue &secret : secrets) {
        values.insert(secret.name, document.bytes().mid(secret.mask.range.begin, secret.mask.range.length()).trimmed());
    }
    return values;
}

// Marked where the value is not that of `before`.
QByteArray maskedValues(const YamlDocument &document, const QHash<QString, QByteArray> *before, const QByteArray &mark)
{
    if (!document.isComplete()) {
        return withHiddenSecrets(document);
    }
    const QHash<QString, QByteArray> values = valuesByName(document);
    TextEdits edits;
    const QList<SecretValue> secrets = secretValuesIn(document);
    for (const SecretValue &secret : secrets) {
        const bool isOther
            = before && before->contains(secret.name) && before->value(secret.name) != values.value(secret.name);
        QByteArray text = maskedText().toUtf8() + (isOther ? ' ' + mark : QByteArray());
        text = '"' + text + '"' + (secret.mask.text.endsWith('\n') ? "\n" : "");
        edits.append({secret.mask.range, text});
    }
    return applyEdits(document.bytes(), edits);
}

} // namespace

QList<ByteRange> secretRangesIn(const YamlDocument &document)
{
    QList<ByteRange> ranges;
    const QList<SecretValue> secrets = secretValuesIn(document);
    for (const SecretValue &secret : secrets) {
        ranges.append(secret.mask.range);
    }
    return document.isComplete() ? ranges : withLines(ranges, SecretLines(document.bytes()).ranges());
}

QByteArray withHiddenSecrets(const YamlDocument &document)
{
    QByteArray text = document.bytes();
    QList<ByteRange> ranges = secretRangesIn(document);
    const QList<QByteArray> values = valuesAt(text, ranges);
    for (const QByteArray &value : values) {
        for (qsizetype at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.size())) {
            ranges.append({at, at + value.size()});
        }
    }
    for (const ByteRange &range : std::as_const(ranges)) {
        for (qsizetype at = range.begin; at < range.end; ++at) {
            if (!QByteArrayView(" \t\r\n").contains(text.at(at))) {
                text[at] = '*';
            }
        }
    }
    return text;
}

QByteArray shownBesideRun(const QByteArray &bytes)
{
    const Result<QByteArray> masked = maskSecrets(bytes);
    return masked ? *masked : withHiddenSecrets(YamlDocument::parse(bytes));
}

ShownTexts shownForComparison(const QByteArray &older, const QByteArray &newer, const QByteArray &mark)
{
    const YamlDocument before = YamlDocument::parse(older), now = YamlDocument::parse(newer);
    const QHash<QString, QByteArray> values = valuesByName(before);
    return {maskedValues(before, nullptr, mark), maskedValues(now, before.isComplete() ? &values : nullptr, mark)};
}

} // namespace trainyard
