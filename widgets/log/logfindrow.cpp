// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logfindrow.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"

#include <QAction>
#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QRegularExpression>
#include <QTimer>
#include <QToolButton>

#include <utility>

namespace trainyard
{

LogFindRow::LogFindRow(QWidget *parent)
    : Ground(Colour::Surface, parent), m_field(new SearchField(SearchField::Kind::Search, tr("Find in the log"))),
      m_pattern(new QToolButton), m_case(new QToolButton), m_filter(new QToolButton),
      m_close(new QAction(icon(QStringLiteral("close")), tr("Close the search"), this))
{
    setBorders(Qt::BottomEdge);
    setFixedHeight(metrics::pageBar);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(metrics::space3, 0, metrics::space2, 1);
    layout->setSpacing(4);
    layout->addWidget(m_field, 1);
    m_pattern->setText(QStringLiteral(".*"));
    m_pattern->setToolTip(tr("Regular expression"));
    m_case->setText(QStringLiteral("Aa"));
    m_case->setToolTip(tr("Match case"));
    m_filter->setObjectName(QStringLiteral("logFilter"));
    m_filter->setIcon(icon(QStringLiteral("filter")));
    m_filter->setIconSize({16, 16});
    m_filter->setToolTip(tr("Show only lines with a hit"));
    for (QToolButton *button : {m_pattern, m_case, m_filter}) {
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setAccessibleName(button->toolTip());
        layout->addWidget(button);
        connect(button, &QToolButton::toggled, this, &LogFindRow::changed);
    }
    makeFilterMenu();
    auto *previous = new QAction(icon(QStringLiteral("arrow-up")), tr("Previous hit"), this);
    previous->setShortcut(QKeySequence::FindPrevious);
    auto *next = new QAction(icon(QStringLiteral("arrow-down")), tr("Next hit"), this);
    next->setShortcut(QKeySequence::FindNext);
    m_close->setShortcut(Qt::Key_Escape); // also from the text; it is off while there is no search
    m_close->setToolTip(tr("Close the search (Esc)"));
    m_actions = {previous, next, m_close};
    for (QAction *action : std::as_const(m_actions)) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        auto *button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setIconSize({16, 16});
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        button->setAccessibleName(action->text());
        layout->addWidget(button);
    }
    hide();
    m_close->setEnabled(false);

    connect(m_close, &QAction::triggered, this, &LogFindRow::close);
    connect(next, &QAction::triggered, this, &LogFindRow::nextRequested);
    connect(previous, &QAction::triggered, this, &LogFindRow::previousRequested);
    connect(m_field, &SearchField::moveRequested, this, [this](int rows) {
        if (rows > 0) {
            Q_EMIT nextRequested();
        } else {
            Q_EMIT previousRequested();
        }
    });
    auto *delay = new QTimer(this);
    delay->setSingleShot(true);
    delay->setInterval(metrics::motionMs);
    connect(m_field, &QLineEdit::textChanged, delay, qOverload<>(&QTimer::start));
    connect(delay, &QTimer::timeout, this, &LogFindRow::changed);
    connect(m_field, &QLineEdit::returnPressed, this, [this, delay] {
        if (delay->isActive()) { // it is about what was typed last
            delay->stop();
            Q_EMIT changed();
        }
        Q_EMIT nextRequested();
    });
    connect(this, &LogFindRow::changed, this, [this] {
        const QString wrong = fault();
        setFieldError(m_field, !wrong.isEmpty());
        m_field->setToolTip(plainTip(wrong.isEmpty() ? QString() : tr("The expression is not valid: %1.").arg(wrong)));
    });
}

void LogFindRow::makeFilterMenu()
{
    auto *menu = new QMenu(m_filter);
    auto *group = new QActionGroup(menu);
    for (const int lines : {0, 1, 3, 10}) {
        QAction *choice = menu->addAction(
            lines == 0 ? tr("Only the lines with a hit") : tr("With %n line(s) before and after", nullptr, lines));
        choice->setCheckable(true);
        choice->setChecked(lines == m_context);
        group->addAction(choice);
        connect(choice, &QAction::triggered, this, [this, lines] { setContext(lines); });
    }
    m_filter->setMenu(menu);
    m_filter->setPopupMode(QToolButton::MenuButtonPopup);
}

void LogFindRow::setContext(int lines)
{
    m_context = lines;
    if (m_filter->isChecked()) {
        Q_EMIT changed();
    } else {
        m_filter->setChecked(true);
    }
}

void LogFindRow::showAllLines() { m_filter->setChecked(false); }

LogQuery LogFindRow::typed() const { return {m_field->text(), m_pattern->isChecked(), m_case->isChecked()}; }

LogQuery LogFindRow::query() const { return isHidden() || !fault().isEmpty() ? LogQuery() : typed(); }

bool LogFindRow::isFiltering() const { return m_filter->isChecked(); }

std::optional<int> LogFindRow::context() const
{
    return m_filter->isChecked() && !query().isEmpty() ? std::optional(m_context) : std::nullopt;
}

QString LogFindRow::text() const { return m_field->text(); }

QString LogFindRow::fault() const
{
    const QRegularExpression expression = typed().expression();
    return expression.isValid() ? QString() : expression.errorString();
}

void LogFindRow::open(const QString &text)
{
    show();
    m_close->setEnabled(true);
    if (!text.isEmpty()) {
        m_field->setText(text);
    }
    m_field->setFocus();
    m_field->selectAll();
    Q_EMIT changed();
}

void LogFindRow::close()
{
    hide();
    m_close->setEnabled(false);
    Q_EMIT changed();
    Q_EMIT closed();
}

void LogFindRow::setStatus(const QString &text) { m_field->setStatus(text); }

} // namespace trainyard
