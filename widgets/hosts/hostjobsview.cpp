// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostjobsview.h"

#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/text/hosttexts.h"

#include <QLabel>
#include <QVBoxLayout>

namespace trainyard
{

HostJobsView::HostJobsView(QWidget *parent) : QWidget(parent), m_jobs(plainLabel())
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *head = semiboldLabel(tr("Jobs there"));
    head->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space2);
    layout->addWidget(head);
    m_jobs->setObjectName(QStringLiteral("hostJobs"));
    m_jobs->setTextFormat(Qt::RichText);
    m_jobs->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_jobs->setWordWrap(true);
    m_jobs->setContentsMargins(metrics::space4, 0, metrics::space4, metrics::space3);
    layout->addWidget(m_jobs);
    layout->addWidget(new Line(Qt::Horizontal));
    connect(
        m_jobs, &QLabel::linkActivated, this, [this](const QString &link) { Q_EMIT jobRequested(jobOfLink(link)); });
    hide();
}

void HostJobsView::setHost(const HostInfo &host)
{
    const QString said = hostJobsText(host);
    const QString text = withJobLinks(said.toHtmlEscaped());
    if (text != m_jobs->text()) { // some of it may be selected
        m_jobs->setText(text);
        m_jobs->setAccessibleName(said);
    }
    setVisible(!said.isEmpty());
}

} // namespace trainyard
