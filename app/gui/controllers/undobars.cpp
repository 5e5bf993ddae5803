// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/undobars.h"

#include "widgets/common/buttonkeys.h"
#include "widgets/common/infobar.h"

#include <QEvent>
#include <QPushButton>
#include <QShortcut>

#include <algorithm>

namespace trainyard
{
namespace
{
const QString ofUndo = QStringLiteral("undoOfJobs");
} // namespace

UndoBars::UndoBars(InfoBar *windowBar, QObject *parent) : QObject(parent), m_window(windowBar)
{
    connect(windowBar, &InfoBar::closed, this, [this] {
        if (m_window->isOf(ofUndo) && !m_acts.isEmpty()) {
            drop(m_acts.constLast().topic);
        }
    });
}

void UndoBars::follow(InfoBar *bar, QWidget *list)
{
    m_places.append({bar, list});
    list->installEventFilter(this);
    auto *keys = new QShortcut(QKeySequence::Undo, list);
    keys->setContext(Qt::WidgetWithChildrenShortcut);
    connect(keys, &QShortcut::activated, this, &UndoBars::undo);
    connect(bar, &QObject::destroyed, this,
        [this, bar] { m_places.removeIf([bar](const Place &place) { return place.bar == bar; }); });
    showWhereSeen();
}

bool UndoBars::eventFilter(QObject *watched, QEvent *event)
{
    if ((event->type() == QEvent::Show || event->type() == QEvent::Hide) && !event->spontaneous()) {
        showWhereSeen();
    }
    return QObject::eventFilter(watched, event);
}

void UndoBars::put(const Act &act)
{
    const auto known
        = std::find_if(m_acts.begin(), m_acts.end(), [&act](const Act &each) { return each.topic == act.topic; });
    const bool isNew = known == m_acts.end();
    if (isNew) {
        m_acts.append(act);
    } else {
        *known = act;
    }
    showWhereSeen(isNew);
}

void UndoBars::drop(const QString &topic)
{
    if (m_acts.removeIf([&topic](const Act &act) { return act.topic == topic; }) > 0) {
        showWhereSeen();
    }
}

void UndoBars::undo()
{
    if (!m_acts.isEmpty()) {
        const Act act = m_acts.constLast();
        drop(act.topic);
        act.undo();
    }
}

// Once: on the page of all jobs while it is in front, which came after the list at the side.
void UndoBars::showWhereSeen(bool isNew)
{
    const InfoBar *chosen = nullptr;
    for (const Place &place : std::as_const(m_places)) {
        chosen = place.list->isVisible() ? place.bar : chosen;
    }
    for (const Place &place : std::as_const(m_places)) {
        if (!m_acts.isEmpty() && (!chosen || chosen == place.bar)) {
            fill(place.bar, m_acts.constLast());
            place.bar->setClosable(false);
        } else {
            place.bar->hide();
        }
    }
    if (!m_window) {
        return; // the window goes
    }
    if (m_acts.isEmpty() || chosen || !m_acts.constLast().isSaidByWindow) {
        m_window->hideIfOf(ofUndo);
    } else if (isNew || m_window->isHidden() || m_window->isOf(ofUndo)) { // what else is said there stays
        fill(m_window, m_acts.constLast());
        m_window->setClosable(true);
        m_window->setTopic(ofUndo);
    }
}

void UndoBars::fill(InfoBar *bar, const Act &act)
{
    bar->show(InfoBar::Kind::Info, act.text);
    QPushButton *button = bar->addAction(tr("Undo"));
    button->setObjectName(act.buttonName);
    pressOnceByDoubleClick(button); // the act before comes to its place
    connect(button, &QPushButton::clicked, this, &UndoBars::undo);
}

} // namespace trainyard
