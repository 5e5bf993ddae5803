// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/clusterjobsdialog.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/text/clustertexts.h"
#include "widgets/text/formats.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int clusterJobsWidth = 720, clusterJobsHeight = 480;
constexpr int clusterJobsNameWidth = 300;
constexpr int tagsDelayMs = 250;

QStringList tagsOfText(const QString &text)
{
    QStringList tags;
    const QStringList parts = text.split(QLatin1Char(','));
    for (const QString &part : parts) {
        if (const QString tag = part.trimmed(); !tag.isEmpty() && !tags.contains(tag)) {
            tags.append(tag);
        }
    }
    tags.sort();
    return tags;
}

} // namespace

ClusterJobsDialog::ClusterJobsDialog(const QString &cluster, QWidget *parent)
    : QDialog(parent), m_cluster(cluster), m_bar(new InfoBar),
      m_field(new SearchField(SearchField::Kind::Filter, tr("Name, state or virtual cluster…"))),
      m_list(new QTreeWidget), m_empty(new EmptyState), m_tagsField(new QLineEdit),
      m_saveTags(new QPushButton(tr("Save tags")))
{
    setObjectName(QStringLiteral("clusterJobsDialog"));
    setWindowTitle(tr("Jobs at %1").arg(cluster));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(clusterJobsWidth, clusterJobsHeight);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space4, metrics::space4, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(headingLabel(tr("Which job is the new one made from?")));
    m_bar->setBoxed(true);
    m_bar->setClosable(false);
    m_bar->hide();
    layout->addWidget(m_bar);
    m_field->setObjectName(QStringLiteral("clusterJobsFilter"));
    m_field->setAccessibleName(tr("Filter jobs"));
    layout->addWidget(m_field);
    m_list->setObjectName(QStringLiteral("clusterJobsList"));
    m_list->setAccessibleName(tr("Jobs at %1").arg(cluster));
    m_list->setHeaderLabels({tr("Name"), tr("State"), tr("Virtual cluster"), tr("GPUs"), tr("Submitted")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setTextElideMode(Qt::ElideMiddle); // names of a series differ at their ends
    m_list->header()->resizeSection(0, clusterJobsNameWidth);
    layout->addWidget(m_list, 1);
    m_empty->setObjectName(QStringLiteral("clusterJobsEmpty"));
    layout->addWidget(m_empty, 1);
    auto *tags = new QHBoxLayout;
    tags->setSpacing(metrics::space2);
    QLabel *tagsCaption = mutedLabel(tr("Tags there"));
    tagsCaption->setBuddy(m_tagsField);
    m_tagsField->setObjectName(QStringLiteral("clusterJobTags"));
    m_tagsField->setAccessibleName(tr("Tags of the job at %1").arg(cluster));
    m_tagsField->setPlaceholderText(tr("none; several with commas between them"));
    m_saveTags->setObjectName(QStringLiteral("clusterJobSaveTags"));
    m_saveTags->setAutoDefault(false);
    tags->addWidget(tagsCaption);
    tags->addWidget(m_tagsField, 1);
    tags->addWidget(m_saveTags);
    layout->addLayout(tags);
    m_look.setSingleShot(true);
    m_look.setInterval(tagsDelayMs);
    connect(&m_look, &QTimer::timeout, this, [this] {
        if (!chosen().isEmpty()) {
            Q_EMIT tagsWanted(chosen());
        }
    });
    connect(m_tagsField, &QLineEdit::textChanged, this, &ClusterJobsDialog::update);
    connect(m_saveTags, &QPushButton::clicked, this, &ClusterJobsDialog::saveTags);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &ClusterJobsDialog::forgetTags);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_open = buttons->addButton(tr("Open as new job"), QDialogButtonBox::ActionRole);
    m_open->setObjectName(QStringLiteral("clusterJobsOpen"));
    setButtonKind(m_open, ButtonKind::Primary);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false); // it has the focus while the list is empty
    layout->addWidget(buttons);
    m_open->setDefault(true); // of the dialog, which it knows only now
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_open, &QPushButton::clicked, this, &ClusterJobsDialog::choose);
    connect(m_list, &QTreeWidget::itemActivated, this, &ClusterJobsDialog::choose);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &ClusterJobsDialog::update);
    connect(m_field, &QLineEdit::textChanged, this, &ClusterJobsDialog::filter);
    connect(m_field, &SearchField::escapePressed, this, &QDialog::reject);
    connect(m_field, &SearchField::moveRequested, this, [this] { m_list->setFocus(); });
    connect(m_empty, &EmptyState::actionTriggered, this, [this] {
        m_empty->setText(tr("Asking %1…").arg(m_cluster));
        m_empty->setAction({});
        Q_EMIT listWanted();
    });
    m_list->hide();
    m_field->setEnabled(false);
    m_empty->setText(tr("Asking %1…").arg(cluster));
    update();
    // Its creator connects to it only afterwards.
    QMetaObject::invokeMethod(this, &ClusterJobsDialog::listWanted, Qt::QueuedConnection);
}

void ClusterJobsDialog::setJobs(const ClusterJobs &jobs)
{
    m_jobs = jobs;
    fill();
    const bool hasSome = !jobs.jobs.isEmpty();
    m_list->setVisible(hasSome);
    m_field->setEnabled(hasSome);
    m_empty->setVisible(!hasSome);
    m_empty->setText(tr("You have no job on %1.").arg(m_cluster));
    m_empty->setAction({});
    update();
    if (hasSome) {
        m_field->setFocus();
    }
}

void ClusterJobsDialog::setListError(const QString &sentence)
{
    m_list->hide();
    m_field->setEnabled(false);
    m_empty->show();
    m_empty->setText(sentence);
    m_empty->setAction(tr("Ask again"), QStringLiteral("restart"));
    update();
}

void ClusterJobsDialog::setOpenError(const QString &sentence)
{
    m_isOpening = false;
    m_bar->show(InfoBar::Kind::Failed, sentence.toHtmlEscaped());
    update();
}

void ClusterJobsDialog::setOpened()
{
    m_isOpening = false;
    accept();
}

void ClusterJobsDialog::setTags(const QString &name, const QStringList &tags)
{
    if (name != chosen()) {
        return; // another one was chosen meanwhile
    }
    m_tagsOf = name;
    m_tags = tags;
    m_tagsField->setText(tags.join(QStringLiteral(", ")));
    m_tagsField->setCursorPosition(0);
    update();
}

void ClusterJobsDialog::setTagsError(const QString &name, const QString &sentence)
{
    if (name == chosen()) {
        m_bar->show(InfoBar::Kind::Failed, sentence.toHtmlEscaped());
        update();
    }
}

QString ClusterJobsDialog::chosen() const
{
    const QTreeWidgetItem *row = m_list->currentItem();
    return row && !row->isHidden() ? row->text(0) : QString();
}

void ClusterJobsDialog::forgetTags()
{
    m_tagsOf.clear();
    m_tags.clear();
    m_tagsField->clear();
    m_look.start();
    update();
}

void ClusterJobsDialog::saveTags()
{
    const QStringList now = tagsOfText(m_tagsField->text());
    QStringList add = now, remove = m_tags;
    add.removeIf([this](const QString &tag) { return m_tags.contains(tag); });
    remove.removeIf([&now](const QString &tag) { return now.contains(tag); });
    m_bar->hide();
    Q_EMIT tagsChangeWanted(m_tagsOf, add, remove);
}

void ClusterJobsDialog::fill()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    m_list->clear();
    QList<QTreeWidgetItem *> rows;
    for (const ClusterJob &job : std::as_const(m_jobs.jobs)) {
        auto *row = new QTreeWidgetItem({job.name, clusterJobStateText(job.state), job.virtualCluster,
            QString::number(job.gpus), job.submitted > 0 ? formatTime(job.submitted, now) : QString()});
        row->setToolTip(0, plainTip(job.name));
        row->setTextAlignment(3, Qt::AlignRight | Qt::AlignVCenter);
        rows.append(row);
    }
    m_list->addTopLevelItems(rows);
    for (int column = 1; column < m_list->columnCount(); ++column) {
        m_list->resizeColumnToContents(column);
    }
    filter();
}

// Each word has to be in one of the cells.
void ClusterJobsDialog::filter()
{
    const QStringList words = m_field->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QTreeWidgetItem *first = nullptr;
    int shown = 0;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem *row = m_list->topLevelItem(i);
        const QString text = row->text(0) + QLatin1Char('\n') + row->text(1) + QLatin1Char('\n') + row->text(2);
        const bool isWanted = std::all_of(words.cbegin(), words.cend(),
            [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
        row->setHidden(!isWanted);
        shown += isWanted ? 1 : 0;
        first = isWanted && !first ? row : first;
    }
    if (!m_list->currentItem() || m_list->currentItem()->isHidden()) {
        m_list->setCurrentItem(first);
    }
    m_field->setStatus(
        words.isEmpty() ? shownClusterJobsText(m_jobs) : tr("%1 of %2").arg(shown).arg(m_list->topLevelItemCount()));
    update();
}

void ClusterJobsDialog::choose()
{
    const QTreeWidgetItem *row = m_list->currentItem();
    if (!row || row->isHidden() || m_isOpening) {
        return;
    }
    m_isOpening = true;
    m_bar->hide();
    update();
    Q_EMIT openWanted(row->text(0));
}

void ClusterJobsDialog::update()
{
    const QTreeWidgetItem *row = m_list->currentItem();
    m_open->setEnabled(!m_isOpening && row && !row->isHidden() && m_list->isVisibleTo(this));
    m_open->setText(m_isOpening ? tr("Opening…") : tr("Open as new job"));
    const bool isKnown = !m_tagsOf.isEmpty() && m_tagsOf == chosen();
    // A tag with a comma in it would become two.
    const bool hasComma = m_tags.join(QString()).contains(QLatin1Char(','));
    m_tagsField->setEnabled(isKnown && !hasComma);
    m_saveTags->setEnabled(isKnown && !hasComma && tagsOfText(m_tagsField->text()) != m_tags);
    // Return in the field means what was typed there.
    (m_saveTags->isEnabled() ? m_saveTags : m_open)->setDefault(true);
}

} // namespace trainyard
