// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/secretsdialog.h"

#include "engine/client/secretmemory.h"
#include "model/protocol/plugins.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"

#include <QAction>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{

constexpr int mostWithoutScrolling = 8; // fields, on the smallest screen
constexpr int leastScrolledHeight = 160;

// Many of them are scrolled, so that the buttons below stay on the screen.
QScrollArea *scrolled(QLayout *fields)
{
    auto *content = new QWidget;
    fields->setContentsMargins(0, 0, metrics::space2, 0);
    content->setLayout(fields);
    auto *scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("secretsScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // the fields have it
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    const int bar = scroll->style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    scroll->setMinimumSize(content->minimumSizeHint().width() + bar, leastScrolledHeight);
    return scroll;
}

} // namespace

SecretsDialog::SecretsDialog(const QString &jobName, const QStringList &keys, SecretVault *vault,
    const SecretVault::Values &known, QWidget *parent)
    : QDialog(parent), m_jobName(jobName), m_vault(vault), m_help(mutedLabel(QString())),
      m_keep(new QCheckBox(
          keys.size() == 1 ? tr("Keep it in this desktop's keyring") : tr("Keep them in this desktop's keyring"))),
      m_remember(new QCheckBox(keys.size() == 1 ? tr("Remember it until Trainyard is closed")
                                                : tr("Remember them until Trainyard is closed"))),
      m_empty(new QCheckBox(
          keys.size() == 1 ? tr("Run with an empty value") : tr("Run with empty values where none is given")))
{
    setWindowTitle(tr("Secrets of %1").arg(jobName));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space5, metrics::space4, metrics::space5, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(headingLabel(tr("This job needs %n secret(s)", nullptr, int(keys.size()))));
    m_help->setWordWrap(true);
    m_help->setObjectName(QStringLiteral("secretsHelp"));
    layout->addWidget(m_help);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(metrics::labelGap);
    grid->setVerticalSpacing(metrics::formRowGap);
    for (const QString &key : keys) {
        const int row = grid->rowCount();
        auto *label = new ElidedLabel(key);
        label->setColour(Colour::Muted);
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        auto *field = new QLineEdit;
        field->setEchoMode(QLineEdit::Password);
        field->setMinimumWidth(280);
        field->setAccessibleName(key);
        field->setObjectName(QStringLiteral("secret-") + key);
        field->setText(known.value(key));
        QAction *reveal = field->addAction(icon(QStringLiteral("eye"), Colour::Muted), QLineEdit::TrailingPosition);
        reveal->setCheckable(true);
        reveal->setToolTip(tr("Show it"));
        connect(reveal, &QAction::toggled, field,
            [field](bool on) { field->setEchoMode(on ? QLineEdit::Normal : QLineEdit::Password); });
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row, 1);
        m_fields.insert(key, field);
    }
    if (keys.size() > mostWithoutScrolling) {
        layout->addWidget(scrolled(grid), 1);
    } else {
        layout->addLayout(grid);
    }
    layout->addWidget(m_keep);
    m_keep->setObjectName(QStringLiteral("secretsKeep"));
    m_keep->setVisible(vault && vault->isThere());
    m_keep->setChecked(!known.isEmpty());
    layout->addWidget(m_remember);
    m_remember->setObjectName(QStringLiteral("secretsRemember"));
    m_remember->hide(); // until there is something that remembers
    m_empty->setObjectName(QStringLiteral("secretsEmpty"));
    layout->addWidget(m_empty);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_run = buttons->addButton(tr("Run"), QDialogButtonBox::AcceptRole);
    setButtonKind(m_run, ButtonKind::Primary);
    layout->addWidget(buttons);
    const auto check = [this] {
        const bool complete = std::none_of(
            m_fields.cbegin(), m_fields.cend(), [](const QLineEdit *field) { return field->text().isEmpty(); });
        m_empty->setEnabled(!complete);
        m_run->setEnabled(complete || m_empty->isChecked());
        describe();
    };
    connect(m_empty, &QCheckBox::toggled, this, check);
    for (QLineEdit *field : std::as_const(m_fields)) {
        connect(field, &QLineEdit::textChanged, this, check);
    }
    check();
    connect(buttons, &QDialogButtonBox::accepted, this, &SecretsDialog::finish);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

// A short value is reported while it is typed: after the start it may already be in a log.
void SecretsDialog::describe()
{
    QStringList shown;
    for (auto it = m_fields.cbegin(); it != m_fields.cend(); ++it) {
        const qsizetype bytes = (*it)->text().toUtf8().size();
        if (bytes > 0 && bytes < shortestMaskedSecret) {
            shown.append(it.key());
        }
    }
    const QString how
        = m_isKeyringSilent ? tr("The keyring of this desktop does not answer.") + u' ' + origin() : origin();
    m_help->setText(shown.isEmpty() ? how + u' ' + tr("Output and logs have ****** in place of each value.")
                                    : how + u' '
                + tr("Output and logs show %1 as it is: a value with fewer than %2 bytes is not masked.")
                      .arg(shown.join(QStringLiteral(", ")))
                      .arg(shortestMaskedSecret));
}

QString SecretsDialog::origin() const
{
    const bool isOne = m_fields.size() == 1;
    if (!m_isOfRun) {
        return isOne ? tr("The document names it without a value. It goes to the engine in memory.")
                     : tr("The document names them without a value. They go to the engine in memory.");
    }
    QStringList filled;
    for (auto it = m_filled.cbegin(); it != m_filled.cend(); ++it) {
        if (m_fields.value(it.key())->text() == *it) {
            filled.append(it.key());
        }
    }
    const QString why = isOne ? tr("The stored run keeps no value of it. It goes to the engine in memory.")
                              : tr("The stored run keeps no values of them. They go to the engine in memory.");
    if (filled.isEmpty()) {
        return why;
    }
    return why + u' '
        + (filled.size() == 1 ? tr("The value of %1 is that in %2.") : tr("The values of %1 are those in %2."))
              .arg(filled.join(QStringLiteral(", ")), m_file);
}

void SecretsDialog::setStoredRun(const QString &file, const SecretVault::Values &values)
{
    m_isOfRun = true;
    m_file = file;
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        if (QLineEdit *field = m_fields.value(it.key()); field && field->text().isEmpty()) {
            m_filled.insert(it.key(), *it);
            field->setText(*it);
        }
    }
    describe();
}

void SecretsDialog::setKeyringSilent()
{
    m_isKeyringSilent = true;
    describe();
}

void SecretsDialog::setMemory(SecretMemory *memory, bool isTicked)
{
    m_memory = memory;
    const SecretVault::Values known = memory->values(m_jobName, m_fields.keys());
    for (auto it = known.cbegin(); it != known.cend(); ++it) {
        if (QLineEdit *field = m_fields.value(it.key()); field->text().isEmpty()) {
            field->setText(*it);
        }
    }
    m_remember->setChecked(isTicked || !known.isEmpty());
    m_remember->show();
}

QMap<QString, QString> SecretsDialog::values() const
{
    QMap<QString, QString> values;
    for (auto it = m_fields.cbegin(); it != m_fields.cend(); ++it) {
        values.insert(it.key(), (*it)->text());
    }
    return values;
}

void SecretsDialog::finish()
{
    const QMap<QString, QString> given = values();
    if (m_keep->isChecked() && m_vault && m_vault->isThere()) {
        // The run goes on meanwhile; where it could not be kept it is asked for again next time.
        m_vault->keep(m_jobName, given, m_vault, [](const Result<void> &) {});
    }
    if (auto *memory = qobject_cast<SecretMemory *>(m_memory.data())) {
        if (m_remember->isChecked()) {
            memory->remember(m_jobName, given);
        } else {
            memory->forget(m_jobName, given.keys());
        }
    }
    Q_EMIT valuesGiven(given);
    accept();
}

} // namespace trainyard
