// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/logexcerpt.h"

#include "widgets/common/style.h"

#include <QEvent>
#include <QLocale>
#include <QRegularExpression>
#include <QTextDocument>

#include <cmath>
#include <memory>

namespace trainyard
{

LogExcerpt::LogExcerpt(QWidget *parent) : QTextBrowser(parent)
{
    setFont(fonts::fixed());
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document()->setDocumentMargin(0);
    viewport()->setAutoFillBackground(false); // what it lies on is its ground
    setOpenLinks(false);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(this, &QTextBrowser::anchorClicked, this,
        [this](const QUrl &link) { Q_EMIT lineClicked(link.toString().toLongLong()); });
}

void LogExcerpt::setLines(qint64 firstLine, const QStringList &lines, std::optional<qint64> marked)
{
    if (firstLine != m_firstLine || lines != m_lines || marked != m_marked) { // somebody may have selected something
        m_firstLine = firstLine;
        m_lines = lines;
        m_marked = marked;
        write();
        updateGeometry();
    }
}

QSize LogExcerpt::sizeHint() const { return {1, heightForWidth(width())}; }

QSize LogExcerpt::minimumSizeHint() const { return {1, 1}; }

int LogExcerpt::heightForWidth(int width) const
{
    const std::unique_ptr<QTextDocument> copy(document()->clone());
    copy->setDocumentMargin(0);
    copy->setTextWidth(width);
    return int(std::ceil(copy->size().height()));
}

void LogExcerpt::write()
{
    const QString linkColour = colour(Colour::Accent, this).name();
    const QString markedLook = QStringLiteral(";font-weight:bold;color:") + colour(Colour::Failed, this).name();
    QString html;
    // bash names the script in full in front of what it says, and no room is left for that.
    static const QRegularExpression script(
        QStringLiteral("^(?:/[^:]*/task\\.sh|/dev/fd/\\d+|/proc/self/fd/\\d+)(?=: line \\d+: )"));
    constexpr qsizetype mostCharacters = 400;
    qint64 number = m_firstLine;
    for (QString line : std::as_const(m_lines)) {
        line.replace(script, QStringLiteral("task.sh"));
        if (line.size() > mostCharacters) {
            line = line.left(mostCharacters) + u'…';
        }
        html += QStringLiteral("<tr><td align=right style='white-space:pre'><a style='text-decoration:none;color:%4' "
                               "href='%1'>%2</a>  </td>"
                               "<td style='white-space:pre-wrap%5'>%3</td></tr>")
                    .arg(QString::number(number), QLocale().toString(number + 1), line.toHtmlEscaped(), linkColour,
                        number == m_marked ? markedLook : QString());
        ++number;
    }
    setHtml(QStringLiteral("<table cellspacing=0 cellpadding=1>") + html + QStringLiteral("</table>"));
}

// The colour of the line numbers is part of the text.
void LogExcerpt::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_lines.isEmpty()) {
        write();
    }
}

} // namespace trainyard
