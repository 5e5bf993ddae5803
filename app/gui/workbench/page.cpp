// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/page.h"

#include <QApplication>
#include <QWidget>

namespace trainyard
{

Page::Page(QWidget *widget) : QObject(widget), m_widget(widget) { }

QString Page::tip() const { return {}; }

QString Page::statusText() const { return tr("Version %1").arg(QApplication::applicationVersion()); }

void Page::focus() { m_widget->setFocus(); }

std::optional<ExportedJob> Page::exported(bool) { return std::nullopt; }

void Page::askToClose(Leaving, int, const std::function<void(Answer)> &answered) { answered(Answer::Discarded); }

} // namespace trainyard
