// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/targetbox.h"

#include "app/gui/guisettings.h"
#include "widgets/common/icons.h"

#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace trainyard
{

TargetBox::TargetBox(GuiSettings *settings, QWidget *parent) : QComboBox(parent), m_settings(settings)
{
    setObjectName(QStringLiteral("target"));
    setAccessibleName(tr("Host to run on"));
    setToolTip(tr("Where Run puts the job"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setFocusPolicy(Qt::TabFocus);
    connect(
        this, &QComboBox::activated, this, [this](int index) { m_settings->setTarget(itemData(index).toString()); });
    setHosts({});
}

QString TargetBox::target() const { return currentData().toString(); }

// Hosts are measured all the time: the list is left alone while it is the same, as somebody may be choosing from it.
void TargetBox::setHosts(const QList<HostInfo> &hosts)
{
    QList<std::pair<QString, QString>> targets; // id and words
    if (hosts.size() > 1) {
        targets.append({QStringLiteral("any"), tr("Any host")});
    }
    const QString local = QStringLiteral("local");
    bool hasLocal = false;
    for (const HostInfo &host : hosts) {
        const bool isLocal = host.target.isEmpty();
        hasLocal = hasLocal || isLocal;
        targets.append({host.id, isLocal ? tr("This computer") : host.label});
    }
    if (!hasLocal) {
        targets.append({local, tr("This computer")});
    }
    bool isSame = count() == targets.size();
    for (int i = 0; isSame && i < targets.size(); ++i) {
        isSame = itemData(i).toString() == targets.at(i).first && itemText(i) == targets.at(i).second;
    }
    if (isSame) {
        return;
    }
    const QSignalBlocker blocker(this);
    clear();
    for (const auto &[id, words] : std::as_const(targets)) {
        addItem(icon(id == local ? QStringLiteral("computer") : QStringLiteral("host")), words, id);
    }
    setCurrentIndex(std::max(0, findData(m_settings->target())));
}

} // namespace trainyard
