// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobfilterread.h"

using namespace Qt::StringLiterals;

namespace trainyard
{

bool FilterReader::atEnd()
{
    while (m_at < m_text.size() && m_text.at(m_at).isSpace()) {
        ++m_at;
    }
    return m_at == m_text.size();
}

bool FilterReader::skip(QChar c)
{
    const bool isThere = m_at < m_text.size() && m_text.at(m_at) == c;
    m_at += isThere ? 1 : 0;
    return isThere;
}

bool FilterReader::isComparison(qsizetype at) const
{
    const QChar c = m_text.at(at);
    return c == u'<' || c == u'>' || c == u'=' || (c == u'!' && at + 1 < m_text.size() && m_text.at(at + 1) == u'=');
}

FilterReader::Piece FilterReader::upTo(const QString &signs)
{
    Piece piece;
    piece.at = m_at;
    while (m_at < m_text.size()) {
        const QChar c = m_text.at(m_at);
        if (c == u'"') {
            const qsizetype end = m_text.indexOf(u'"', m_at + 1);
            piece.isQuoted = true;
            piece.isOpen = end < 0;
            piece.text += QStringView(m_text).sliced(m_at + 1, (end < 0 ? m_text.size() : end) - m_at - 1);
            m_at = end < 0 ? m_text.size() : end + 1;
        } else if (c.isSpace() || signs.contains(c) || (signs.contains(u'<') && isComparison(m_at))) {
            break;
        } else {
            piece.text += c;
            ++m_at;
        }
    }
    piece.length = m_at - piece.at;
    return piece;
}

FilterReader::Piece FilterReader::head() { return upTo(u":<>="_s); }

FilterReader::Piece FilterReader::value(bool alsoComma) { return upTo(alsoComma ? u","_s : QString()); }

std::optional<QString> FilterReader::comparison()
{
    const qsizetype before = m_at;
    if (atEnd() || !isComparison(m_at)) {
        m_at = before;
        return std::nullopt;
    }
    QString sign(m_text.at(m_at++));
    if (m_at < m_text.size() && m_text.at(m_at) == u'=') {
        sign += u'=';
        ++m_at;
    }
    atEnd(); // the blanks behind it
    return sign;
}

} // namespace trainyard
