// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/textsearch.h"

#include "model/base/utf8.h"

#include <QRegularExpression>
#include <QStringDecoder>

namespace trainyard
{
namespace
{

QRegularExpression expression(const QString &pattern, SearchOptions options)
{
    QRegularExpression::PatternOptions flags = QRegularExpression::MultilineOption;
    if (!options.matchCase) {
        flags |= QRegularExpression::CaseInsensitiveOption;
    }
    // A carriage return before a line feed is not part of the line, for '.' as for '$'.
    return QRegularExpression(
        options.regex ? QStringLiteral("(*ANYCRLF)") + pattern : QRegularExpression::escape(pattern), flags);
}

// The text that the expression is matched with: one that is not UTF-8 is read byte by byte.
struct SearchedText {
    explicit SearchedText(const QByteArray &bytes)
    {
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        text = decoder(bytes);
        isUtf8 = !decoder.hasError();
        if (!isUtf8) {
            text = QString::fromLatin1(bytes);
        } else if (bytes.startsWith("\xEF\xBB\xBF") && !text.startsWith(QChar(0xFEFF))) {
            text.prepend(QChar(0xFEFF)); // the decoder swallows it, the offsets need it
        }
    }
    QString typed(const QString &words) const { return isUtf8 ? words : QString::fromLatin1(words.toUtf8()); }

    QString text;
    bool isUtf8 = true;
};

// With the groups that "\1" names.
QString filledIn(const QString &replacement, const QRegularExpressionMatch &match)
{
    const int groups = match.regularExpression().captureCount();
    QString text;
    for (qsizetype i = 0; i < replacement.size(); ++i) {
        const auto digit = [&](qsizetype at) { return at < replacement.size() ? replacement.at(at).digitValue() : -1; };
        int group = replacement.at(i) == u'\\' ? digit(i + 1) : -1;
        if (group <= 0 || group > groups) {
            text += replacement.at(i);
            continue;
        }
        ++i;
        if (const int more = digit(i + 1); more >= 0 && group * 10 + more <= groups) {
            group = group * 10 + more;
            ++i;
        }
        text += match.captured(group);
    }
    return text;
}

// Calls `take` with the match and the bytes of each hit, ascending, until that returns false. Returns false when the
// pattern is not an expression.
template <typename Take>
bool forHits(const QByteArray &bytes, const SearchedText &searched, const QRegularExpression &regex, const Take &take)
{
    if (!regex.isValid()) {
        return false;
    }
    const QString &text = searched.text;
    // UTF-16 position to byte offset: goes forward once over the text.
    qsizetype unit = 0;
    qsizetype offset = 0;
    const bool same = text.size() == bytes.size();
    const auto offsetOf = [&](qsizetype wanted) {
        if (same) {
            return wanted;
        }
        for (; unit < wanted; ++unit) {
            const char16_t c = text.at(unit).unicode();
            // A surrogate pair is four bytes: two for each half.
            offset += c < 0x80 ? 1 : c < 0x800 || QChar::isSurrogate(c) ? 2 : 3;
        }
        return offset;
    };
    auto matches = regex.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() == 0) {
            continue;
        }
        const qsizetype begin = offsetOf(match.capturedStart());
        if (!take(match, ByteRange{begin, offsetOf(match.capturedEnd())})) {
            break;
        }
    }
    return true;
}

} // namespace

SearchResult findAll(const QByteArray &bytes, const QString &pattern, SearchOptions options, qsizetype limit)
{
    SearchResult result;
    if (pattern.isEmpty()) {
        return result;
    }
    const SearchedText searched(bytes);
    const auto take = [&result, limit](const QRegularExpressionMatch &, ByteRange hit) {
        result.cut = result.hits.size() >= limit;
        if (!result.cut) {
            result.hits.append(hit);
        }
        return !result.cut;
    };
    result.badPattern = !forHits(bytes, searched, expression(searched.typed(pattern), options), take);
    return result;
}

TextEdits replacingAll(
    const QByteArray &bytes, const QString &pattern, SearchOptions options, const QString &replacement)
{
    TextEdits edits;
    if (pattern.isEmpty()) {
        return edits;
    }
    const SearchedText searched(bytes);
    const QString typed = searched.typed(replacement);
    const QByteArray plain = replacement.toUtf8();
    forHits(bytes, searched, expression(searched.typed(pattern), options),
        [&](const QRegularExpressionMatch &match, ByteRange hit) {
            const QString text = options.regex ? filledIn(typed, match) : QString();
            edits.append({hit, !options.regex ? plain : searched.isUtf8 ? text.toUtf8() : text.toLatin1()});
            return true;
        });
    return edits;
}

QByteArray replacementOf(
    const QByteArray &line, ByteRange hit, const QString &pattern, SearchOptions options, const QString &replacement)
{
    if (!options.regex) {
        return replacement.toUtf8();
    }
    const SearchedText searched(line);
    const auto unitAt = [&](qsizetype offset) {
        return searched.isUtf8 ? textFromUtf8(QByteArrayView(line).first(offset)).size() : offset;
    };
    const qsizetype begin = unitAt(hit.begin);
    const QRegularExpressionMatch match = expression(searched.typed(pattern), options)
                                              .match(searched.text, begin, QRegularExpression::NormalMatch,
                                                  QRegularExpression::AnchorAtOffsetMatchOption);
    if (!match.hasMatch() || match.capturedEnd() != unitAt(hit.end)) {
        return replacement.toUtf8();
    }
    const QString text = filledIn(searched.typed(replacement), match);
    return searched.isUtf8 ? text.toUtf8() : text.toLatin1();
}

} // namespace trainyard
