// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/questions.h"

#include "widgets/common/labels.h"
#include "widgets/common/style.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard
{

QuestionDialog::QuestionDialog(const Question &question, QWidget *parent) : QDialog(parent)
{
    const bool isHostKey = question.kind == QLatin1String("hostKey");
    setObjectName(QStringLiteral("questionDialog"));
    setWindowTitle(tr("Log in to %1").arg(question.host));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space5, metrics::space4, metrics::space5, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(
        headingLabel(isHostKey ? tr("Is this the key of %1?").arg(question.host) : tr("%1 asks").arg(question.host)));
    auto *prompt = new QLabel(question.prompt);
    prompt->setTextFormat(Qt::PlainText);
    prompt->setWordWrap(true);
    prompt->setMinimumWidth(380);
    prompt->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(prompt);
    auto *buttons = new QDialogButtonBox;
    if (isHostKey) {
        buttons->addButton(tr("Yes, connect"), QDialogButtonBox::AcceptRole);
    } else {
        m_field = new QLineEdit;
        m_field->setEchoMode(question.kind == QLatin1String("other") ? QLineEdit::Normal : QLineEdit::Password);
        m_field->setAccessibleName(question.prompt);
        layout->addWidget(m_field);
        buttons->addButton(tr("Log in"), QDialogButtonBox::AcceptRole);
        QLabel *help = mutedLabel(tr("It goes to ssh in memory and is not kept."));
        help->setWordWrap(true);
        layout->addWidget(help);
    }
    QPushButton *cancel = buttons->addButton(QDialogButtonBox::Cancel);
    layout->addWidget(buttons);
    if (isHostKey) {
        // Return must not trust a key that nobody has looked at.
        cancel->setDefault(true);
        cancel->setFocus();
    }
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(
        this, &QDialog::accepted, this, [this] { Q_EMIT answered(m_field ? m_field->text() : QStringLiteral("yes")); });
}

Questions::Questions(EngineClient *client, QWidget *window) : QObject(window), m_client(client), m_window(window)
{
    client->setAnswersQuestions(true);
    connect(client, &EngineClient::question, this, &Questions::ask);
    connect(client, &EngineClient::questionGone, this, [this](const QString &id) {
        if (QuestionDialog *dialog = m_open.take(id)) {
            dialog->disconnect(this);
            dialog->close();
        }
    });
}

void Questions::ask(const Question &question)
{
    if (m_open.value(question.id)) {
        return;
    }
    auto *dialog = new QuestionDialog(question, m_window);
    m_open.insert(question.id, dialog);
    const auto answer = [this, id = question.id](const std::optional<QString> &text) {
        m_open.remove(id);
        m_client->answer(id, text, this, [](const Result<bool> &) {});
    };
    connect(dialog, &QuestionDialog::answered, this, answer);
    connect(dialog, &QDialog::rejected, this, [answer] { answer(std::nullopt); });
    dialog->open();
}

} // namespace trainyard
