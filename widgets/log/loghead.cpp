// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/loghead.h"

#include "widgets/common/chip.h"
#include "widgets/common/icons.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/style.h"

#include <QAction>
#include <QDateTime>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int leastHeadWidth = 240; // what it shows is read
constexpr int leastTaskNameWidth = 160; // a longer name is shortened before a tool leaves

QToolButton *toolFor(QAction *action, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setIconSize({16, 16});
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
    return button;
}
} // namespace

LogHead::LogHead(const QList<QAction *> &tools)
    : Ground(Colour::Surface), m_title(new QToolButton), m_try(new QToolButton), m_more(new QToolButton),
      m_streams(new SegmentedControl({tr("Both"), tr("Out"), tr("Err")})), m_range(new Chip(QString()))
{
    setBorders(Qt::BottomEdge);
    setFixedHeight(metrics::paneHead);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(metrics::space3, 0, metrics::space2, 1);
    layout->setSpacing(6);
    layout->addWidget(semiboldLabel(tr("Log")));
    m_title->setAccessibleName(tr("Task whose log is shown"));
    m_try->setAccessibleName(tr("Try whose log is shown"));
    m_try->setToolTip(tr("Choose the try whose log is shown"));
    m_try->hide();
    addName(m_title);
    addName(m_try);
    m_streams->setAccessibleName(tr("Output stream"));
    layout->addWidget(m_streams);
    m_range->setObjectName(QStringLiteral("logRange"));
    m_range->setIconName(QStringLiteral("clock"));
    m_range->setRemovable(true);
    m_range->setToolTip(tr("Only what was written in this time is shown"));
    m_range->hide();
    layout->addWidget(m_range);
    layout->addStretch();
    for (QAction *action : tools) {
        m_tools.append(toolFor(action, this));
        layout->addWidget(m_tools.constLast());
    }
    m_more->setIcon(icon(QStringLiteral("more")));
    m_more->setIconSize({16, 16});
    m_more->setAutoRaise(true);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setToolTip(tr("More"));
    m_more->setAccessibleName(tr("More"));
    m_more->setMenu(new QMenu(m_more));
    layout->addWidget(m_more);
    setMinimumWidth(leastHeadWidth); // fit() sees to it
    connect(m_more->menu(), &QMenu::aboutToShow, this, &LogHead::fillMore);
    connect(m_range, &Chip::removeRequested, this, &LogHead::rangeRemoved);
}

void LogHead::addName(QToolButton *button)
{
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setPopupMode(QToolButton::InstantPopup);
    layout()->addWidget(button);
}

bool LogHead::setTitle(const QString &title)
{
    if (title == m_titleText && title.isEmpty() == m_title->isHidden()) {
        return false;
    }
    m_titleText = title;
    m_title->setText(title);
    m_title->setToolTip(plainTip(QString(title + u'\n' + tr("Choose the task whose log is shown"))));
    m_title->setAccessibleDescription(title);
    m_title->setVisible(!title.isEmpty());
    return true;
}

bool LogHead::setTry(const QString &words)
{
    if (words == m_try->text() && words.isEmpty() == m_try->isHidden()) {
        return false;
    }
    m_try->setText(words);
    m_try->setVisible(!words.isEmpty());
    return true;
}

QString LogHead::title() const
{
    return m_try->isHidden() ? m_titleText : tr("%1, %2").arg(m_titleText, m_try->text().toLower());
}

void LogHead::setRange(const std::optional<LogTimeRange> &range)
{
    m_range->setVisible(range.has_value());
    if (range) {
        const bool isShort = range->from / 1000 == range->to / 1000; // two times that are alike would say nothing
        const QString format = isShort ? QStringLiteral("HH:mm:ss.zzz") : QStringLiteral("HH:mm:ss");
        const auto text = [&format](qint64 ms) { return QDateTime::fromMSecsSinceEpoch(ms).toString(format); };
        m_range->setText(tr("%1–%2").arg(text(range->from), text(range->to)));
        m_range->setMinimumWidth(m_range->sizeHint().width()); // without its times it says nothing
        m_range->setAccessibleName(tr("Only from %1 to %2").arg(text(range->from), text(range->to)));
    }
}

void LogHead::fit(int width)
{
    m_streams->show();
    m_title->setMinimumWidth(std::min(leastTaskNameWidth, m_title->sizeHint().width()));
    for (QToolButton *tool : std::as_const(m_tools)) {
        tool->show();
    }
    const auto fits = [this, width] {
        layout()->invalidate();
        return layout()->minimumSize().width() <= width;
    };
    QList<QWidget *> leaving{m_tools.begin() + 2, m_tools.end()};
    std::reverse(leaving.begin(), leaving.end());
    leaving << m_streams << m_tools.at(1) << m_tools.at(0);
    for (QWidget *widget : std::as_const(leaving)) {
        if (fits()) {
            break;
        }
        widget->hide();
    }
    layout()->invalidate();
    m_fittedWidth = layout()->minimumSize().width();
}

bool LogHead::isOutgrown(int width) const { return layout()->minimumSize().width() > std::max(width, m_fittedWidth); }

void LogHead::fillMore()
{
    QMenu *menu = m_more->menu();
    menu->clear();
    if (m_streams->isHidden()) {
        m_streams->addTo(menu);
        menu->addSeparator();
    }
    for (const QToolButton *tool : std::as_const(m_tools)) {
        if (tool->isHidden()) {
            menu->addAction(tool->defaultAction());
        }
    }
    Q_EMIT moreAboutToShow(menu);
}

} // namespace trainyard
