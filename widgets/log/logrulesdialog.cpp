// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logrulesdialog.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/log/logview.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{
enum RuleColumn { OnColumn, PatternColumn, LevelColumn };
constexpr int levelWidth = 150, onWidth = 44;
constexpr int rulesWidth = 760, rulesHeight = 620;

// Lines that stand for what programs write.
class SampleLog final : public LogSource
{
public:
    qint64 size() override { return m_bytes.size(); }
    QByteArray read(qint64 offset, qint64 length) override { return m_bytes.mid(offset, length); }
    std::optional<Origin> originAt(qint64) override { return {}; }
    bool isComplete() override { return true; }

private:
    QByteArray m_bytes = "epoch 3: loss 0.3312, acc 0.8821\n"
                         "UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`.\n"
                         "2026-01-12 09:30:01 INFO saved checkpoints/epoch3.pt\n"
                         "2026-01-12 09:30:02 WARNING the disk is nearly full\n"
                         "2026-01-12 09:30:05 ERROR cannot write checkpoints/epoch4.pt\n"
                         "Traceback (most recent call last):\n"
                         "  File \"train.py\", line 88, in <module>\n"
                         "OSError: [Errno 28] No space left on device\n"
                         "validation error: 0.31\n";
};

QStringList levelTexts()
{
    return {LogRulesDialog::tr("Error"), LogRulesDialog::tr("Warning"), LogRulesDialog::tr("Good"),
        LogRulesDialog::tr("Notable"), LogRulesDialog::tr("Faint")};
}
} // namespace

LogRulesDialog::LogRulesDialog(const LogRules &rules, const LogSourceFactory &preview, QWidget *parent)
    : QDialog(parent), m_table(new QTreeWidget), m_add(new QPushButton(icon(QStringLiteral("plus")), tr("Add a rule"))),
      m_remove(new QPushButton(tr("Remove"))), m_up(new QPushButton(icon(QStringLiteral("arrow-up")), QString())),
      m_down(new QPushButton(icon(QStringLiteral("arrow-down")), QString())), m_fault(smallMutedLabel({})),
      m_preview(new LogView)
{
    setObjectName(QStringLiteral("logRulesDialog"));
    setWindowTitle(tr("Colours of log lines"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(rulesWidth, rulesHeight);
    m_table->setHeaderLabels({QString(), tr("Regular expression"), tr("The line is")});
    m_table->setRootIsDecorated(false);
    m_table->setAccessibleName(tr("Rules"));
    setTableLook(m_table);
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(PatternColumn, QHeaderView::Stretch);
    m_table->header()->resizeSection(OnColumn, onWidth);
    m_table->header()->resizeSection(LevelColumn, levelWidth);
    m_up->setToolTip(tr("Move the rule up: the first rule that matches a line decides"));
    m_up->setAccessibleName(tr("Move up"));
    m_down->setToolTip(tr("Move the rule down"));
    m_down->setAccessibleName(tr("Move down"));
    m_add->setObjectName(QStringLiteral("logRuleAdd"));
    auto *reset = new QPushButton(tr("Built-in rules"));
    reset->setToolTip(tr("Restore the rules that come with the program"));
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space2);
    for (QPushButton *button : {m_add, m_remove, m_up, m_down}) {
        row->addWidget(button);
    }
    row->addStretch();
    row->addWidget(reset);
    m_preview->setTimes(preview ? LogTimes::Clock : LogTimes::None);
    m_preview->setSource(preview ? preview : [] { return std::make_unique<SampleLog>(); });
    m_preview->setAccessibleName(tr("Preview"));
    auto *card = new Ground(Colour::Surface);
    card->setBorders(Qt::TopEdge | Qt::BottomEdge | Qt::LeftEdge | Qt::RightEdge);
    auto *inside = new QVBoxLayout(card);
    inside->setContentsMargins(1, 1, 1, 1);
    inside->addWidget(m_preview);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_accept = buttons->button(QDialogButtonBox::Ok);
    m_accept->setText(tr("Use these rules"));
    setButtonKind(m_accept, ButtonKind::Primary);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space5, metrics::space4, metrics::space5, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(headingLabel(tr("Colours of log lines")));
    auto *about = mutedLabel(tr("The first rule that matches a line gives it its colour. F8 jumps from one error or "
                                "warning to the next. Lines with colours of their own keep them."));
    about->setWordWrap(true);
    layout->addWidget(about);
    layout->addWidget(m_table, 3);
    layout->addLayout(row);
    layout->addWidget(m_fault);
    layout->addWidget(semiboldLabel(tr("Preview")));
    layout->addWidget(card, 2);
    layout->addWidget(buttons);

    connect(m_add, &QPushButton::clicked, this, [this] {
        addRow({QString(), LogRule::Level::Notable}, 0);
        m_table->setCurrentItem(m_table->topLevelItem(0));
        m_table->itemWidget(m_table->topLevelItem(0), PatternColumn)->setFocus();
        refresh();
    });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        delete m_table->currentItem();
        refresh();
    });
    connect(m_up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(1); });
    connect(reset, &QPushButton::clicked, this, [this] { fill(LogRules::builtIn()); });
    connect(m_table, &QTreeWidget::currentItemChanged, this, &LogRulesDialog::refresh);
    connect(m_table, &QTreeWidget::itemChanged, this, &LogRulesDialog::refresh);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT chosen(this->rules());
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    fill(rules.rules());
}

void LogRulesDialog::fill(const QList<LogRule> &rules)
{
    m_table->clear();
    for (const LogRule &rule : rules) {
        addRow(rule, m_table->topLevelItemCount());
    }
    refresh();
}

void LogRulesDialog::addRow(const LogRule &rule, int at)
{
    auto *row = new QTreeWidgetItem;
    row->setCheckState(OnColumn, rule.isOn ? Qt::Checked : Qt::Unchecked);
    m_table->insertTopLevelItem(at, row);
    auto *pattern = new QLineEdit(rule.pattern);
    pattern->setFont(fonts::fixed());
    pattern->setCursorPosition(0);
    pattern->setAccessibleName(tr("Regular expression"));
    pattern->setPlaceholderText(tr("For example: loss (nan|inf)"));
    auto *level = new QComboBox;
    level->addItems(levelTexts());
    level->setCurrentIndex(int(rule.level));
    level->setAccessibleName(tr("The line is"));
    m_table->setItemWidget(row, PatternColumn, pattern);
    m_table->setItemWidget(row, LevelColumn, level);
    connect(pattern, &QLineEdit::textChanged, this, &LogRulesDialog::refresh);
    connect(level, &QComboBox::currentIndexChanged, this, &LogRulesDialog::refresh);
}

void LogRulesDialog::move(int by)
{
    const int at = m_table->indexOfTopLevelItem(m_table->currentItem());
    const int to = at + by;
    if (at < 0 || to < 0 || to >= m_table->topLevelItemCount()) {
        return;
    }
    const LogRule rule = ruleOf(m_table->topLevelItem(at));
    delete m_table->topLevelItem(at); // with its fields, which no item can be moved with
    addRow(rule, to);
    m_table->setCurrentItem(m_table->topLevelItem(to));
    refresh();
}

LogRule LogRulesDialog::ruleOf(QTreeWidgetItem *row) const
{
    const auto *pattern = static_cast<QLineEdit *>(m_table->itemWidget(row, PatternColumn));
    const auto *level = static_cast<QComboBox *>(m_table->itemWidget(row, LevelColumn));
    if (!pattern || !level) {
        return {}; // it is being made
    }
    return {pattern->text(), LogRule::Level(level->currentIndex()), row->checkState(OnColumn) == Qt::Checked};
}

LogRules LogRulesDialog::rules() const
{
    QList<LogRule> rules;
    for (int i = 0; i < m_table->topLevelItemCount(); ++i) {
        rules.append(ruleOf(m_table->topLevelItem(i)));
    }
    return LogRules(rules);
}

void LogRulesDialog::refresh()
{
    const int at = m_table->indexOfTopLevelItem(m_table->currentItem());
    m_add->setEnabled(m_table->topLevelItemCount() < LogRules::most);
    m_add->setToolTip(plainTip(m_add->isEnabled() ? QString() : tr("There are at most %1 rules.").arg(LogRules::most)));
    m_remove->setEnabled(at >= 0);
    m_up->setEnabled(at > 0);
    m_down->setEnabled(at >= 0 && at + 1 < m_table->topLevelItemCount());
    QString fault;
    for (int i = 0; i < m_table->topLevelItemCount(); ++i) {
        QTreeWidgetItem *row = m_table->topLevelItem(i);
        const QRegularExpression expression(ruleOf(row).pattern);
        if (auto *field = static_cast<QLineEdit *>(m_table->itemWidget(row, PatternColumn))) {
            setFieldError(field, !expression.isValid());
        }
        if (!expression.isValid() && fault.isEmpty()) {
            fault = tr("The expression of rule %1 is not valid: %2.")
                        .arg(QString::number(i + 1), expression.errorString());
        }
    }
    m_fault->setText(fault);
    m_fault->setVisible(!fault.isEmpty());
    m_accept->setEnabled(fault.isEmpty());
    m_preview->setRules(rules());
}

} // namespace trainyard
