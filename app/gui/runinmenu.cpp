// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/runinmenu.h"

#include "widgets/common/labels.h"

#include <QActionGroup>

#include <set>

namespace trainyard
{
namespace
{

const QString hostWord = QStringLiteral("host");

// The runtime of a job if the user chooses none.
QString defaultText(const RunInMenu::Facts &facts)
{
    if (!facts.ofJob.isEmpty()) {
        return RunInMenu::tr("As the job says: %1").arg(runInLabel(facts.ofJob));
    }
    std::set<QString> words;
    for (const HostInfo &host : facts.hosts) {
        words.insert(host.runIn.isEmpty() ? hostWord : host.runIn);
    }
    if (words.size() > 1) {
        return RunInMenu::tr("As each host has it");
    }
    return RunInMenu::tr("Default: %1").arg(runInLabel(words.empty() ? hostWord : *words.begin()));
}

} // namespace

QString runInLabel(const QString &word) { return word == hostWord ? RunInMenu::tr("host shell") : word; }

RunInMenu::RunInMenu(const std::function<Facts()> &facts, QWidget *parent) : QMenu(tr("Run &in"), parent)
{
    setObjectName(QStringLiteral("runInMenu"));
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, [this, facts] { fill(facts()); });
    fill({});
}

void RunInMenu::fill(const Facts &facts)
{
    clear();
    delete findChild<QActionGroup *>();
    auto *group = new QActionGroup(this);
    const auto entry = [&](const QString &word, const QString &text) {
        QAction *action = addAction(plainCaption(text));
        action->setData(word);
        action->setCheckable(true);
        action->setChecked(facts.chosen == word);
        action->setEnabled(facts.hasDocument);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, word] { Q_EMIT chosen(word); });
        return action;
    };
    entry(QString(), defaultText(facts));
    addSeparator();
    entry(hostWord, tr("Host shell"));
    for (const char *name : {"podman", "docker", "apptainer"}) {
        const QString word = QString::fromLatin1(name);
        QStringList lacking;
        bool isThere = false;
        for (const HostInfo &host : facts.hosts) {
            // One that has not answered yet may have it.
            const bool has = host.runtimes.contains(word) || host.state != HostState::Online;
            isThere = isThere || has;
            if (!has) {
                lacking.append(host.label);
            }
        }
        QAction *action = entry(word, word);
        if (!isThere && !facts.hosts.isEmpty()) {
            action->setEnabled(false);
            action->setToolTip(plainTip(tr("%1 was not found on %2.").arg(word, lacking.join(QStringLiteral(", ")))));
        } else if (!lacking.isEmpty()) {
            action->setToolTip(plainTip(tr("Not on %1.").arg(lacking.join(QStringLiteral(", ")))));
        }
    }
}

} // namespace trainyard
