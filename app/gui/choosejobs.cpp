// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/choosejobs.h"

#include "engine/api/foreignid.h"
#include "engine/api/jobfacts.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/jobs/filterfield.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"

#include <QCheckBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// "lab1, lab2", "slurm:lab"; empty: it was nowhere yet.
QString placeOfRun(const JobSummary &job)
{
    if (!job.target.isEmpty() && job.target != "pool"_L1) {
        return job.target;
    }
    constexpr qsizetype most = 2;
    QStringList hosts = job.hosts;
    hosts.replaceInStrings(QRegularExpression(u"\\Alocal\\z"_s), ChooseJobs::tr("this computer"));
    return hosts.size() <= most ? hosts.join(u", "_s) : ChooseJobs::tr("%1 hosts").arg(hosts.size());
}

} // namespace

ChooseJobs::ChooseJobs(const QList<JobSummary> &jobs, const QStringList &chosen, int least, QWidget *parent)
    : QDialog(parent), m_least(least), m_jobs(jobs), m_field(new FilterField(tr("net lr<=0.1 state:succeeded…"))),
      m_list(new QListWidget), m_empty(new EmptyState)
{
    setObjectName(QStringLiteral("chooseJobs"));
    setWindowTitle(tr("Compare runs"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(520, 480);
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const QSet<QString> marked(chosen.cbegin(), chosen.cend());
    for (const JobSummary &job : jobs) {
        const QStringList words = parameterWords(job.parameters);
        const QString place = placeOfRun(job);
        const QString what = isForeign(job.uuid) ? tr("%1, from %2").arg(job.name, job.file)
            : place.isEmpty()
            ? tr("%1 #%2, %3").arg(job.name, QString::number(job.id), formatTime(job.submitted, now))
            : tr("%1 #%2, %3, %4").arg(job.name, QString::number(job.id), formatTime(job.submitted, now), place);
        auto *item = new QListWidgetItem(
            saysState(job) ? stateIcon(shapeOf(job)) : icon(QStringLiteral("chart"), Colour::Muted),
            words.isEmpty() ? what : QString(what + QStringLiteral("   ") + words.join(QLatin1Char(' '))), m_list);
        item->setData(Qt::UserRole, job.uuid);
        item->setData(Qt::UserRole + 1,
            QString(item->text() + QLatin1Char(' ') + job.group + QLatin1Char(' ') + words.join(QLatin1Char(' '))));
        item->setToolTip(plainTip(words.join(QStringLiteral(", "))));
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(marked.contains(job.uuid) ? Qt::Checked : Qt::Unchecked);
    }
    m_list->setAccessibleName(tr("Jobs"));
    m_list->setUniformItemSizes(true);
    auto *box = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_compare = box->addButton(tr("Compare"), QDialogButtonBox::AcceptRole);
    setButtonKind(m_compare, ButtonKind::Primary);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space4, metrics::space4, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(headingLabel(tr("Which runs are compared?")));
    layout->addWidget(m_field);
    layout->addWidget(m_list, 1);
    m_empty->setIcon(QStringLiteral("chart"));
    layout->addWidget(m_empty, 1);
    layout->addWidget(box);
    auto *all = new QCheckBox(tr("All that are shown"));
    m_all = all;
    all->setObjectName(QStringLiteral("chooseAll"));
    layout->insertWidget(2, all);
    setTabOrder(m_field->field(), all); // in the order in which one sees them
    setTabOrder(all, m_list);
    setTabOrder(m_list, m_compare);
    connect(all, &QCheckBox::toggled, this, [this](bool on) {
        m_isMarkingAll = true; // else all are counted again for each
        for (int row = 0; row < m_list->count(); ++row) {
            if (QListWidgetItem *item = m_list->item(row); !item->isHidden()) {
                item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
            }
        }
        m_isMarkingAll = false;
        update();
    });
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_field->field()->setAccessibleName(tr("Filter runs"));
    m_field->setWords([this] { return filterWords(m_jobs); });
    connect(m_field, &FilterField::filterChanged, this, &ChooseJobs::filter);
    connect(m_empty, &EmptyState::actionTriggered, this, [this] {
        m_field->setText({});
        m_field->field()->setFocus();
    });
    connect(m_list, &QListWidget::itemChanged, this, &ChooseJobs::update);
    connect(m_list, &QListWidget::itemActivated, this, [](QListWidgetItem *item) {
        item->setCheckState(item->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
    });
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(box, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT jobsChosen(this->chosen());
        accept();
    });
    m_field->field()->setFocus();
    update();
}

QStringList ChooseJobs::chosen() const
{
    QStringList uuids;
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->checkState() == Qt::Checked) {
            uuids.prepend(m_list->item(row)->data(Qt::UserRole).toString()); // the oldest first
        }
    }
    return uuids;
}

void ChooseJobs::filter()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const JobFilter &filter = m_field->filter();
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem *item = m_list->item(row);
        // Plain words are looked for in all that a row shows.
        item->setHidden(
            !filter.isEmpty() && !filter.matches(m_jobs.at(row), now, item->data(Qt::UserRole + 1).toString()));
    }
    update();
}

void ChooseJobs::update()
{
    if (m_isMarkingAll) {
        return;
    }
    const qsizetype count = chosen().size();
    m_compare->setEnabled(count >= m_least);
    int hidden = 0; // marked, and compared as well
    int shown = 0;
    for (int row = 0; row < m_list->count(); ++row) {
        const QListWidgetItem *item = m_list->item(row);
        shown += item->isHidden() ? 0 : 1;
        hidden += item->checkState() == Qt::Checked && item->isHidden() ? 1 : 0;
    }
    m_compare->setText(count == 0 ? tr("Compare")
            : hidden > 0
            ? tr("Compare %1, %2 of them hidden").arg(QLocale().toString(count), QLocale().toString(hidden))
            : tr("Compare %n", nullptr, int(count)));
    showEmpty(shown == 0);
}

// A list without a row says nothing of why.
void ChooseJobs::showEmpty(bool on)
{
    const bool isFiltered = !m_jobs.isEmpty();
    m_list->setVisible(!on);
    m_all->setEnabled(!on);
    m_empty->setVisible(on);
    m_empty->setText(isFiltered ? tr("No run matches the filter.")
                                : tr("There are no runs yet. Runs that can be compared are listed here."));
    m_empty->setAction(isFiltered ? tr("Remove the filter") : QString(), QStringLiteral("filter"));
}

} // namespace trainyard
