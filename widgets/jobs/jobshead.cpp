// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobshead.h"

#include "widgets/common/iconbutton.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/jobs/filtercompletion.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace trainyard
{
namespace
{

const QString starred = QStringLiteral("is:starred");
const QString withArchived = QStringLiteral("with:archived");

QToolButton *headButton(const QString &iconName, const QString &name)
{
    QToolButton *button = iconButton(iconName, name, Colour::Muted);
    setSmall(button);
    return button;
}

} // namespace

JobsHead::JobsHead(QWidget *parent)
    : QWidget(parent), m_count(smallMutedLabel({})),
      m_star(headButton(QStringLiteral("star"), tr("Only jobs with a star")))
{
    setFixedHeight(metrics::sideHead);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(metrics::space3, 0, metrics::space2, 0);
    layout->setSpacing(metrics::space2);
    layout->addWidget(semiboldLabel(tr("Jobs")));
    m_count->setObjectName(QStringLiteral("jobsHeadCount"));
    layout->addWidget(m_count);
    layout->addStretch();
    layout->addWidget(m_star);
    m_star->setCheckable(true);
    m_star->setObjectName(QStringLiteral("starredJobs"));
    auto *more = headButton(QStringLiteral("more"), tr("More for the list of jobs"));
    more->setObjectName(QStringLiteral("moreJobs"));
    more->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(more);
    menu->addAction(icon(QStringLiteral("table")), tr("All jobs as a table"), this, &JobsHead::allJobsRequested);
    m_archived = menu->addAction(icon(QStringLiteral("archive")), tr("Show archived jobs"));
    m_archived->setCheckable(true);
    more->setMenu(menu);
    layout->addWidget(more);
    connect(m_star, &QToolButton::clicked, this, [this](bool on) { Q_EMIT conditionSwitched(starred, on); });
    connect(m_archived, &QAction::triggered, this, [this](bool on) { Q_EMIT conditionSwitched(withArchived, on); });
}

void JobsHead::setCount(const QString &text) { m_count->setText(text); }

void JobsHead::follow(const QString &filter)
{
    m_star->setChecked(hasCondition(filter, starred));
    m_archived->setChecked(hasCondition(filter, withArchived));
}

} // namespace trainyard
