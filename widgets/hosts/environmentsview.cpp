// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/environmentsview.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/naturalorder.h"
#include "widgets/common/style.h"
#include "widgets/text/hostusetexts.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int nameWidth = 120; // as the names of steps
constexpr qsizetype mostRows = 12; // the command line shows all

} // namespace

EnvironmentsView::EnvironmentsView(QWidget *parent)
    : QWidget(parent), m_grid(new QGridLayout), m_note(smallMutedLabel({}))
{
    auto *head = new QHBoxLayout;
    head->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space2);
    head->setSpacing(metrics::space2);
    head->addWidget(semiboldLabel(tr("Environments")));
    head->addWidget(m_note);
    head->addStretch();
    m_grid->setContentsMargins(metrics::space4, 0, metrics::space4, metrics::space3);
    m_grid->setHorizontalSpacing(metrics::space3);
    m_grid->setVerticalSpacing(metrics::space1);
    m_grid->setColumnMinimumWidth(0, nameWidth + metrics::stateShape + metrics::space3);
    m_grid->setColumnStretch(2, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new Line(Qt::Horizontal));
    layout->addLayout(head);
    layout->addLayout(m_grid);
    hide();
}

void EnvironmentsView::clear()
{
    while (const QLayoutItem *item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    hide();
}

void EnvironmentsView::addRow(int row, const QString &name, const QString &what, const QString &command)
{
    m_grid->addWidget(new ElidedLabel(name), row, 0);
    m_grid->addWidget(mutedLabel(what), row, 1);
    auto *text = new ElidedLabel(command);
    text->setColour(Colour::Muted);
    m_grid->addWidget(text, row, 2);
    auto *copy = new QPushButton(icon(QStringLiteral("copy")), {});
    copy->setObjectName(QStringLiteral("copy-") + name);
    copy->setAccessibleName(tr("Copy the command for %1").arg(name));
    copy->setToolTip(tr("Copy the command, for extras.trainyard.environment of a job"));
    setButtonKind(copy, ButtonKind::Quiet);
    connect(copy, &QPushButton::clicked, this, [command] { QGuiApplication::clipboard()->setText(command); });
    m_grid->addWidget(copy, row, 3);
}

void EnvironmentsView::setEnvironments(const api::HostEnvironments &found)
{
    clear();
    QList<api::HostEnvironment> environments = found.environments;
    // Each kind by itself, and versions by their numbers: 3.9 before 3.10.
    for (auto first = environments.begin(); first != environments.end();) {
        const auto end = std::find_if(
            first, environments.end(), [&first](const api::HostEnvironment &one) { return one.kind != first->kind; });
        std::stable_sort(first, end,
            [](const api::HostEnvironment &a, const api::HostEnvironment &b) { return naturalLess(a.name, b.name); });
        first = end;
    }
    QStringList loaded = found.modules;
    std::stable_sort(loaded.begin(), loaded.end(), naturalLess);
    const qsizetype shown = std::min(environments.size(), mostRows);
    for (qsizetype i = 0; i < shown; ++i) {
        const api::HostEnvironment &one = environments.at(i);
        addRow(int(i), one.name, environmentKindText(one), one.command);
    }
    const qsizetype modules = std::min(found.modules.size(), mostRows - shown);
    for (qsizetype i = 0; i < modules; ++i) {
        const QString &name = loaded.at(i);
        addRow(int(shown + i), name, tr("module"), QStringLiteral("module load ") + name);
    }
    const qsizetype all = found.environments.size() + found.modules.size();
    m_note->setText(all > shown + modules || !found.isWhole
            ? tr("%1 of %2; 'trainyardctl hosts environments %3' shows all")
                  .arg(shown + modules)
                  .arg(all)
                  .arg(found.host)
            : QString());
    setVisible(all > 0);
}

} // namespace trainyard
