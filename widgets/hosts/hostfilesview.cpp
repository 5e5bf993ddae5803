// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostfilesview.h"

#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/text/hostfilestexts.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{

constexpr int kindWidth = 120; // as the names of steps

} // namespace

HostFilesView::HostFilesView(QWidget *parent)
    : QWidget(parent), m_grid(new QGridLayout), m_note(smallMutedLabel({})), m_clean(new QPushButton(tr("Clean up"))),
      m_empty(new QPushButton(tr("Remove all…")))
{
    m_clean->setObjectName(QStringLiteral("hostClean"));
    m_clean->setToolTip(tr("Remove copied code, older helpers, and folders of jobs that are no longer in the list"));
    m_empty->setObjectName(QStringLiteral("hostEmpty"));
    m_empty->setToolTip(tr("Remove also the folders of jobs that have ended, with what they wrote there"));
    for (QPushButton *button : {m_clean, m_empty}) {
        setButtonKind(button, ButtonKind::Quiet);
    }
    connect(m_clean, &QPushButton::clicked, this, &HostFilesView::cleanRequested);
    connect(m_empty, &QPushButton::clicked, this, &HostFilesView::emptyRequested);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(metrics::space4, metrics::space2, metrics::space4, metrics::space2);
    head->setSpacing(metrics::space2);
    head->addWidget(semiboldLabel(tr("What Trainyard has there")));
    head->addWidget(m_note);
    head->addStretch();
    head->addWidget(m_clean);
    head->addWidget(m_empty);
    m_note->setObjectName(QStringLiteral("hostFilesNote"));
    m_grid->setContentsMargins(metrics::space4, 0, metrics::space4, metrics::space3);
    m_grid->setHorizontalSpacing(metrics::space3);
    m_grid->setVerticalSpacing(metrics::space2);
    m_grid->setColumnMinimumWidth(0, kindWidth + metrics::stateShape + metrics::space3);
    m_grid->setColumnStretch(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addLayout(m_grid);
    enable(false, false);
}

void HostFilesView::clearRows()
{
    while (const QLayoutItem *item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

void HostFilesView::enable(bool clean, bool empty)
{
    m_clean->setEnabled(clean);
    m_empty->setEnabled(empty);
}

void HostFilesView::clear()
{
    clearRows();
    m_note->clear();
    enable(false, false);
}

void HostFilesView::setFiles(const api::HostFiles &files)
{
    clearRows();
    const QList<QStringList> rows = hostFilesRows(files);
    for (int row = 0; row < int(rows.size()); ++row) {
        m_grid->addWidget(mutedLabel(rows.at(row).at(0)), row, 0);
        auto *what = new ElidedLabel(rows.at(row).at(1));
        m_grid->addWidget(what, row, 1);
    }
    m_note->setText(rows.isEmpty() ? tr("nothing") : QString());
    enable(files.leftJobs > 0 || files.codeBytes > 0 || files.dataBytes > 0 || files.programs > 1, !rows.isEmpty());
}

void HostFilesView::setWaiting(const QString &text)
{
    m_note->setText(text);
    enable(false, false);
}

void HostFilesView::setError(const QString &text)
{
    clearRows();
    m_note->setText(text);
    enable(false, false);
}

} // namespace trainyard
