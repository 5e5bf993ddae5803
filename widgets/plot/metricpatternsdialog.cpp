// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/metricpatternsdialog.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/text/texts.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <utility>

namespace trainyard
{
namespace
{
enum PatternColumn { NamePart, ExpressionPart, HitsPart, LastPart };
constexpr int patternNameWidth = 150, hitsWidth = 80, lastWidth = 90;
constexpr int patternsWidth = 780, patternsHeight = 460;
constexpr int trialDelayMs = 150;
} // namespace

MetricPatternsDialog::MetricPatternsDialog(
    const QMap<QString, QString> &expressions, const LogSourceFactory &log, QWidget *parent)
    : QDialog(parent), m_log(log), m_table(new QTreeWidget), m_remove(new QPushButton(tr("Remove"))),
      m_fault(smallMutedLabel({})), m_lines(plainLabel()), m_delay(new QTimer(this)), m_trial(new PatternTrial(this))
{
    setObjectName(QStringLiteral("metricPatternsDialog"));
    setWindowTitle(tr("Own metrics"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(patternsWidth, patternsHeight);
    m_table->setHeaderLabels({tr("Name"), tr("Regular expression"), tr("Hits"), tr("Last value")});
    m_table->setRootIsDecorated(false);
    m_table->setAccessibleName(tr("Own metrics"));
    setTableLook(m_table);
    setNumberColumns(m_table, {HitsPart, LastPart});
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(ExpressionPart, QHeaderView::Stretch);
    m_table->header()->resizeSection(NamePart, patternNameWidth);
    m_table->header()->resizeSection(HitsPart, hitsWidth);
    m_table->header()->resizeSection(LastPart, lastWidth);
    auto *add = new QPushButton(icon(QStringLiteral("plus")), tr("Add a metric"));
    add->setObjectName(QStringLiteral("patternAdd"));
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space2);
    row->addWidget(add);
    row->addWidget(m_remove);
    row->addStretch();
    m_lines->setObjectName(QStringLiteral("patternLines"));
    m_lines->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lines->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_accept = buttons->button(QDialogButtonBox::Ok);
    m_accept->setText(tr("Use these metrics"));
    setButtonKind(m_accept, ButtonKind::Primary);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space5, metrics::space4, metrics::space5, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(headingLabel(tr("Own metrics")));
    auto *about = mutedLabel(
        tr("Metrics that are not recognized can be found by a regular expression: its first group holds the value, and "
           "a second one the step. It is searched for in each line of the output of every job."));
    about->setWordWrap(true);
    layout->addWidget(about);
    layout->addWidget(m_table, 1);
    layout->addLayout(row);
    layout->addWidget(m_fault);
    layout->addWidget(m_lines);
    layout->addWidget(buttons);

    m_delay->setSingleShot(true);
    m_delay->setInterval(trialDelayMs);
    connect(m_delay, &QTimer::timeout, this, [this] { m_trial->start(m_log, MetricPatterns(this->expressions())); });
    connect(m_trial, &PatternTrial::found, this, &MetricPatternsDialog::tell);
    connect(add, &QPushButton::clicked, this, [this] {
        addRow({}, {});
        QTreeWidgetItem *last = m_table->topLevelItem(m_table->topLevelItemCount() - 1);
        m_table->setCurrentItem(last);
        m_table->itemWidget(last, NamePart)->setFocus();
        changed();
    });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        delete m_table->currentItem();
        changed();
    });
    connect(m_table, &QTreeWidget::currentItemChanged, this, &MetricPatternsDialog::showLines);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT chosen(this->expressions());
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (auto each = expressions.cbegin(); each != expressions.cend(); ++each) {
        addRow(each.key(), each.value());
    }
    m_table->setCurrentItem(m_table->topLevelItem(0));
    changed();
}

void MetricPatternsDialog::addRow(const QString &name, const QString &expression)
{
    auto *row = new QTreeWidgetItem(m_table);
    auto *nameField = new QLineEdit(name);
    nameField->setAccessibleName(tr("Name"));
    nameField->setPlaceholderText(tr("For example: quality"));
    auto *field = new QLineEdit(expression);
    field->setFont(fonts::fixed());
    field->setAccessibleName(tr("Regular expression"));
    field->setPlaceholderText(tr("For example: quality -> (\\S+)"));
    m_table->setItemWidget(row, NamePart, nameField);
    m_table->setItemWidget(row, ExpressionPart, field);
    for (const auto &[each, column] : {std::pair(nameField, NamePart), std::pair(field, ExpressionPart)}) {
        connect(each, &QLineEdit::textChanged, this, [this, row, at = int(column)] {
            if (m_table->currentItem() != row) { // another cell would take the focus
                m_table->setCurrentItem(row, at);
            }
            changed();
        });
    }
}

QString MetricPatternsDialog::nameOf(QTreeWidgetItem *row) const
{
    const auto *field = static_cast<QLineEdit *>(m_table->itemWidget(row, NamePart));
    return field ? field->text().trimmed() : QString();
}

QMap<QString, QString> MetricPatternsDialog::expressions() const
{
    QMap<QString, QString> all;
    for (int i = 0; i < m_table->topLevelItemCount(); ++i) {
        QTreeWidgetItem *row = m_table->topLevelItem(i);
        const auto *field = static_cast<QLineEdit *>(m_table->itemWidget(row, ExpressionPart));
        if (field && !nameOf(row).isEmpty() && !field->text().isEmpty()) {
            all.insert(nameOf(row), field->text());
        }
    }
    return all;
}

void MetricPatternsDialog::changed()
{
    const MetricPatterns patterns(expressions());
    const bool isRight = patterns.faults().isEmpty();
    m_fault->setText(isRight ? QString() : errorText(patterns.faults().constFirst()));
    m_fault->setVisible(!isRight);
    m_accept->setEnabled(isRight);
    m_remove->setEnabled(m_table->currentItem());
    m_delay->start();
}

void MetricPatternsDialog::tell(const PatternTrial::Found &hits, bool isWhole)
{
    m_hits = hits;
    m_isWhole = isWhole;
    const QLocale locale;
    for (int i = 0; i < m_table->topLevelItemCount(); ++i) {
        QTreeWidgetItem *row = m_table->topLevelItem(i);
        const auto found = hits.find(nameOf(row).toStdString());
        const bool isThere = found != hits.end();
        row->setText(HitsPart, m_log ? locale.toString(isThere ? found->second.count : 0) : QString());
        row->setText(LastPart, isThere ? QString::number(found->second.last, 'g', 6) : QString());
    }
    showLines();
}

void MetricPatternsDialog::showLines()
{
    m_remove->setEnabled(m_table->currentItem());
    const auto found
        = m_table->currentItem() ? m_hits.find(nameOf(m_table->currentItem()).toStdString()) : m_hits.end();
    const bool isHit = m_log && found != m_hits.end();
    m_lines->setFont(isHit ? fonts::fixed() : fonts::ui());
    if (!m_log) {
        m_lines->setText(tr("Open the log of a job to try an expression on it."));
    } else if (!m_table->currentItem()) {
        m_lines->setText(
            tr("There is none yet. What an expression finds in the log that is open is counted as you type."));
    } else if (found == m_hits.end()) {
        m_lines->setText(tr("No line of the log that is open has a value for it."));
    } else {
        m_lines->setText(found->second.lines.join(QLatin1Char('\n'))
            + (m_isWhole ? QString() : QLatin1Char('\n') + tr("Only the first 64 MiB of the log were tried.")));
    }
}

} // namespace trainyard
