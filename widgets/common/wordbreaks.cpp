// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/wordbreaks.h"

#include <QFontMetrics>
#include <QRegularExpression>
#include <QTextDocumentFragment>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

constexpr QChar mayBreak(0x200b);

// Characters that are drawn as one, or not at all.
QStringList lettersOf(const QString &word, WordKind kind)
{
    static const QRegularExpression ofMarkup(
        QStringLiteral("<[^>]*>|&[#\\w]{1,10};|."), QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression ofPlain(QStringLiteral("."), QRegularExpression::DotMatchesEverythingOption);
    QStringList letters;
    for (auto each = (kind == WordKind::Markup ? ofMarkup : ofPlain).globalMatch(word); each.hasNext();) {
        letters.append(each.next().captured());
    }
    return letters.isEmpty() ? QStringList{word} : letters; // half a pair is nothing that can be matched
}

QString drawnOf(const QString &word, WordKind kind)
{
    return kind == WordKind::Markup ? QTextDocumentFragment::fromHtml(word).toPlainText() : word;
}

} // namespace

QString withBreaks(const QString &text, const QFontMetrics &fm, int room, WordKind kind)
{
    static const QRegularExpression ends(QStringLiteral("[ \n]"));
    QString result;
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype found = text.indexOf(ends, at);
        const qsizetype end = found < 0 ? text.size() : found;
        const QString word = text.sliced(at, end - at);
        const bool isWide = fm.horizontalAdvance(word) > std::max(1, room)
            && (kind == WordKind::Plain || fm.horizontalAdvance(drawnOf(word, kind)) > std::max(1, room));
        result += isWide ? lettersOf(word, kind).join(mayBreak) + mayBreak : word;
        result += text.sliced(end, found < 0 ? 0 : 1);
        at = end + 1;
    }
    return result;
}

QString breakable(const QString &text)
{
    constexpr qsizetype longWord = 24; // more than a narrow form has room for
    constexpr qsizetype longPart = 16;
    const QStringView separators = u"_-./,:=";
    QString result;
    QString word;
    const auto addWord = [&] {
        qsizetype part = 0;
        for (const QChar letter : std::as_const(word)) {
            result += letter;
            const bool ends = ++part >= longPart && !letter.isHighSurrogate();
            if (word.size() > longWord && (ends || separators.contains(letter))) {
                result += mayBreak;
                part = 0;
            }
        }
        word.clear();
    };
    for (const QChar letter : text) {
        if (letter.isSpace()) {
            addWord();
            result += letter;
        } else {
            word += letter;
        }
    }
    addWord();
    return result;
}

} // namespace trainyard
