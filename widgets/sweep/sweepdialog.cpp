// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweepdialog.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/common/wordbreaks.h"
#include "widgets/sweep/sweepform.h"
#include "widgets/sweep/sweepmodel.h"
#include "widgets/text/demandtexts.h"
#include "widgets/text/texts.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QShowEvent>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr QSize usualSize(980, 600);
constexpr int formWidth = 420;
constexpr int mostGrowth = 160; // of the height, so that a few parameters need no scroll bar
constexpr int mostFormWidth = 520; // by long names of parameters

// The width of the form in its scrolled room, where nothing scrolls across: no field is ever cut.
int widthOf(const SweepForm &form)
{
    const int wanted = std::clamp(form.sizeHint().width(), formWidth, mostFormWidth);
    const int bar = form.style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    return std::max(wanted, form.minimumSizeHint().width() + bar);
}

} // namespace

SweepDialog::SweepDialog(const QString &job, const SweepDraft &draft, QWidget *parent)
    : QDialog(parent), m_form(new SweepForm(draft)), m_model(new SweepModel(this)), m_table(new QTreeView),
      m_none(new EmptyState), m_head(semiboldLabel({})), m_demand(mutedLabel({})),
      m_shared(mutedLabel(sharedFolderText())), m_rule(mutedLabel({})), m_bar(new InfoBar), m_progress(new QProgressBar)
{
    setWindowTitle(tr("Run as sweep"));
    setObjectName(QStringLiteral("sweepDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(usualSize);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space5, metrics::space4, metrics::space5, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(nameHeading(tr("Run %1 with many values of its parameters").arg(job), job));
    m_bar->setBoxed(true);
    m_bar->hide();
    layout->addWidget(m_bar);

    auto *columns = new QHBoxLayout;
    columns->setSpacing(metrics::space5);
    auto *scroll = new QScrollArea;
    m_scroll = scroll;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(widthOf(*m_form));
    if (draft.rows.isEmpty()) {
        auto *empty = new EmptyState;
        empty->setIcon(QStringLiteral("table"));
        empty->setText(tr("The document has no parameters."));
        empty->setDetail(tr("Add some under Parameters, and use them in the commands, as <% $parameters.lr %>."));
        scroll->setWidget(empty);
        m_form->setParent(this);
        m_form->hide();
    } else {
        scroll->setWidget(m_form);
    }
    columns->addWidget(scroll, 2);
    auto *card = new Ground(Colour::Surface);
    card->setCard(true);
    auto *preview = new QVBoxLayout(card);
    preview->setContentsMargins(metrics::space3, metrics::space3, metrics::space3, metrics::space3);
    preview->setSpacing(metrics::space2);
    m_head->setObjectName(QStringLiteral("sweepHead"));
    m_head->setWordWrap(true);
    m_demand->setObjectName(QStringLiteral("sweepDemand"));
    m_demand->setWordWrap(true);
    preview->addWidget(m_head);
    preview->addWidget(m_demand);
    m_shared->setObjectName(QStringLiteral("sweepShared"));
    m_shared->setWordWrap(true);
    preview->addWidget(m_shared);
    m_rule->setObjectName(QStringLiteral("sweepRuleNote"));
    m_rule->setWordWrap(true);
    preview->addWidget(m_rule);
    setTableLook(m_table);
    m_table->setModel(m_model);
    m_table->setObjectName(QStringLiteral("sweepJobs"));
    m_table->setAccessibleName(tr("Jobs of the sweep"));
    preview->addWidget(m_table, 1);
    m_none->setObjectName(QStringLiteral("sweepNone"));
    m_none->setIcon(QStringLiteral("table"));
    m_none->setText(tr("Write values for at least one parameter to see the jobs."));
    preview->addWidget(m_none, 1);
    columns->addWidget(card, 3);
    layout->addLayout(columns, 1);

    m_progress->hide();
    layout->addWidget(m_progress);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_cancel = buttons->button(QDialogButtonBox::Cancel);
    m_run = buttons->addButton(tr("Run"), QDialogButtonBox::AcceptRole);
    m_run->setObjectName(QStringLiteral("sweepRun"));
    setButtonKind(m_run, ButtonKind::Primary);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &SweepDialog::runRequested);
    connect(buttons, &QDialogButtonBox::rejected, this, &SweepDialog::reject);
    connect(m_form, &SweepForm::changed, this, &SweepDialog::renew);
    connect(m_form, &SweepForm::changed, this, &SweepDialog::changed);
    renew();
    m_form->focusFirst();
}

const SweepDraft &SweepDialog::draft() const { return m_form->draft(); }

QString SweepDialog::summary() const
{
    const qsizetype count = m_preview.points.size();
    // In full: under its field there is one line for each.
    QStringList wrong;
    const QList<std::optional<Error>> all
        = m_preview.ofRows + QList{m_preview.ofRule, m_preview.ofGroup, m_preview.ofPlan};
    for (const std::optional<Error> &error : all) {
        if (error) {
            wrong.append(errorText(*error));
        }
    }
    if (!wrong.isEmpty()) {
        return wrong.join(QLatin1Char('\n'));
    }
    if (count == 0) {
        return {};
    }
    const qint64 most = jobsAtOnce(draft(), count);
    return count == 1   ? tr("1 job")
        : most == count ? tr("%1 jobs, all at a time").arg(count)
                        : tr("%1 jobs, %2 at a time").arg(QString::number(count), QString::number(most));
}

void SweepDialog::renew()
{
    m_preview = previewOf(draft());
    m_form->showPreview(m_preview);
    const QString group = m_madeGroup.isEmpty() || m_askedGroup != draft().group ? draft().group : m_madeGroup;
    m_form->showGroup(group);
    m_model->setJobs(group, m_preview);
    const QString words = summary();
    const qsizetype count = m_preview.points.size();
    m_none->setVisible(words.isEmpty() && !draft().rows.isEmpty()); // else the other half says why
    m_head->setText(breakable(words));
    m_head->setVisible(!words.isEmpty());
    m_head->setFont(count > 0 ? fonts::semibold() : font());
    m_head->setAlignment(count > 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter);
    const qint64 most = jobsAtOnce(draft(), count);
    m_demand->setVisible(count > 0);
    m_shared->setVisible(count > 1 && draft().sharesFolder);
    const QStringList ofRule = ruleNotes(effectOfRule(draft(), count));
    m_rule->setText(breakable(ofRule.join(u' ')));
    m_rule->setVisible(count > 0 && !ofRule.isEmpty());
    m_table->setVisible(count > 0);
    fitColumns();
    m_demand->setText(most > 1
            ? tr("Each asks for %1. At most %2 run at the same time, with %3.")
                  .arg(demandText(draft().demand), QString::number(most), demandText(draft().demand.times(most)))
            : tr("Each asks for %1, and one runs after the other.").arg(demandText(draft().demand)));
    if (const int room = draft().room; room > 0 && most > room) {
        m_demand->setText(m_demand->text() + u' '
            + tr("The hosts have CPU cores for %n of them; more share the cores, and each takes longer.", nullptr,
                room));
    }
    const qint64 wanted = draft().limit > 0 ? std::min<qint64>(draft().limit, count) : count;
    if (const int placed = draft().placed; placed > 0 && wanted > placed) {
        m_demand->setText(m_demand->text() + u' '
            + (draft().demand.gpus > 0
                    ? tr("The hosts have GPUs and memory for %n of them at a time; the others wait.", nullptr, placed)
                    : tr("The hosts have memory for %n of them at a time; the others wait.", nullptr, placed)));
    }
    if (count == 1) {
        m_demand->setText(tr("It asks for %1.").arg(demandText(draft().demand)));
    }
    m_run->setText(count > 1 ? tr("Run %1 jobs").arg(count) : tr("Run"));
    m_run->setEnabled(m_preview.canRun() && !m_isSubmitting);
}

// By all that stands in them: the table itself measures only what it shows, which is nothing before it has its place.
void SweepDialog::fitColumns()
{
    constexpr int measured = 500; // rows
    constexpr int widest = 240;
    constexpr int margins = 28; // of a cell and of the head
    const QFontMetrics text(m_table->font());
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        int width = m_table->header()->fontMetrics().horizontalAdvance(title);
        for (int row = 0; row < std::min(m_model->rowCount(), measured); ++row) {
            width = std::max(width, text.horizontalAdvance(m_model->index(row, column).data().toString()));
        }
        m_table->setColumnWidth(column, std::min(widest, width + margins));
    }
    // Numbers stay near their neighbours.
    const QVariant alignment = m_model->index(0, m_model->columnCount() - 1).data(Qt::TextAlignmentRole);
    m_table->header()->setStretchLastSection(!Qt::Alignment(alignment.toInt()).testFlag(Qt::AlignRight));
}

void SweepDialog::setGroup(const QString &asked, const QString &made)
{
    m_askedGroup = asked;
    m_madeGroup = made;
    renew();
}

void SweepDialog::setProgress(qsizetype done, qsizetype all)
{
    m_isSubmitting = true;
    m_bar->hide();
    m_form->setEnabled(false);
    m_run->setEnabled(false);
    m_progress->setRange(0, int(all));
    m_progress->setValue(int(done));
    m_progress->setFormat(tr("%1 of %2 jobs submitted").arg(QString::number(done), QString::number(all)));
    m_progress->show();
}

void SweepDialog::setFailed(const QString &sentence)
{
    m_isSubmitting = false;
    m_progress->hide();
    m_form->setEnabled(true);
    m_bar->show(InfoBar::Kind::Failed, sentence);
    renew();
}

void SweepDialog::reject()
{
    if (m_isSubmitting) {
        Q_EMIT stopRequested();
    } else {
        QDialog::reject();
    }
}

void SweepDialog::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    layout()->activate();
    const int lacks = m_scroll->widget()->minimumSizeHint().height() - m_scroll->viewport()->height();
    if (lacks > 0 && lacks <= mostGrowth && !event->spontaneous()) {
        resize(width(), height() + lacks);
    }
}

} // namespace trainyard
