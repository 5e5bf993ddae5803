// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/questions.h"

#include "app/gui/questionturn.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/text/hosttexts.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{

// A question about a key of this computer. Questions of a server begin with "(user@host) ".
static bool isOfOwnSsh(const Question &question)
{
    return question.kind == QLatin1String("passphrase")
        || (question.kind == QLatin1String("pin") && !question.prompt.startsWith(QLatin1Char('(')));
}

QuestionDialog::QuestionDialog(const Question &question, QWidget *parent, bool isHeld) : QDialog(parent)
{
    const bool isHostKey = question.kind == QLatin1String("hostKey");
    const bool isTouch = question.kind == QLatin1String("touch"); // ssh ends it when the key was touched
    setObjectName(QStringLiteral("questionDialog"));
    setWindowTitle(tr("Log in to %1").arg(question.host));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space5, metrics::space4, metrics::space5, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(headingLabel(isHostKey ? tr("Is this the key of %1?").arg(question.host)
            : isTouch                        ? tr("Touch your security key")
            : isOfOwnSsh(question)           ? tr("Your ssh asks, to log in to %1").arg(question.host)
                                             : tr("%1 asks").arg(question.host)));
    QString words = question.prompt;
    if (isHostKey) { // what can be typed at a terminal; here are buttons
        static const QRegularExpression choices(QStringLiteral(" ?\\(yes/no(?:/\\[fingerprint\\])?\\)"));
        words.remove(choices);
    }
    // It is compared letter by letter: on a line of its own, which has room.
    static const QRegularExpression fingerprint(QStringLiteral("[ \\n]*((?:SHA256:|MD5:)[A-Za-z0-9+/=:]+\\.?)[ \\n]*"));
    const QString key = isHostKey ? fingerprint.match(words).captured(1) : QString();
    if (!key.isEmpty()) {
        words.replace(fingerprint, QStringLiteral("\n\\1\n"));
    }
    auto *prompt = plainLabel(words);
    prompt->setObjectName(QStringLiteral("questionPrompt"));
    prompt->setWordWrap(true);
    prompt->setMinimumWidth(std::max(380, prompt->fontMetrics().horizontalAdvance(key) + metrics::space2));
    prompt->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(prompt);
    if (!question.lockedKey.isEmpty()) {
        auto *before = new ColourLabel(lockedKeyText(question.lockedKey), Colour::Failed);
        before->setObjectName(QStringLiteral("questionBefore"));
        before->setTextFormat(Qt::PlainText);
        before->setWordWrap(true);
        layout->addWidget(before);
    }
    auto *buttons = new QDialogButtonBox;
    if (isHostKey) {
        buttons->addButton(tr("Yes, connect"), QDialogButtonBox::AcceptRole);
    } else if (!isTouch) {
        m_field = new QLineEdit;
        m_field->setEchoMode(question.kind == QLatin1String("other") ? QLineEdit::Normal : QLineEdit::Password);
        m_field->setAccessibleName(question.prompt);
        layout->addWidget(m_field);
        if (m_field->echoMode() == QLineEdit::Password) {
            QAction *reveal
                = m_field->addAction(icon(QStringLiteral("eye"), Colour::Muted), QLineEdit::TrailingPosition);
            reveal->setObjectName(QStringLiteral("reveal"));
            reveal->setCheckable(true);
            reveal->setToolTip(tr("Show it"));
            connect(reveal, &QAction::toggled, m_field,
                [this](bool on) { m_field->setEchoMode(on ? QLineEdit::Normal : QLineEdit::Password); });
        }
        QPushButton *login = buttons->addButton(tr("Log in"), QDialogButtonBox::AcceptRole);
        setButtonKind(login, ButtonKind::Primary);
        login->setDefault(true);
        QLabel *help = mutedLabel(tr("It is passed to ssh in memory and is not stored."));
        help->setWordWrap(true);
        layout->addWidget(help);
    }
    QPushButton *cancel = buttons->addButton(isTouch ? QDialogButtonBox::Close : QDialogButtonBox::Cancel);
    layout->addWidget(buttons);
    if (isHostKey) {
        // Return must not trust a key that the user has not looked at.
        cancel->setDefault(true);
        cancel->setFocus();
    }
    if (isHeld) {
        hold(prompt, buttons);
    }
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(
        this, &QDialog::accepted, this, [this] { Q_EMIT answered(m_field ? m_field->text() : QStringLiteral("yes")); });
}

bool QuestionDialog::hasInput() const { return m_field && !m_field->text().isEmpty(); }

// The keys go to the words, which do nothing with them: no text gets into the field, and no button is pressed.
void QuestionDialog::hold(QLabel *prompt, QDialogButtonBox *buttons)
{
    QLabel *why = mutedLabel(tr("Another question was withdrawn while you were typing. What you typed was not used."));
    why->setWordWrap(true);
    auto *turn = new QPushButton(tr("&Answer this one"));
    turn->setObjectName(QStringLiteral("questionAnswer"));
    auto *column = static_cast<QVBoxLayout *>(layout());
    const int at = column->indexOf(prompt);
    column->insertWidget(at + 1, turn, 0, Qt::AlignLeft);
    column->insertWidget(at + 1, why);
    QPushButton *main = nullptr;
    const QList<QPushButton *> all = findChildren<QPushButton *>();
    for (QPushButton *button : all) {
        main = button->isDefault() ? button : main;
        button->setDefault(false);
        button->setAutoDefault(false);
    }
    const auto setHeld = [this, buttons](bool on) {
        if (m_field) {
            m_field->setEnabled(!on);
        }
        const QList<QAbstractButton *> answers = buttons->buttons();
        for (QAbstractButton *button : answers) {
            button->setEnabled(!on || buttons->buttonRole(button) != QDialogButtonBox::AcceptRole);
        }
    };
    setHeld(true);
    prompt->setFocus();
    connect(turn, &QPushButton::clicked, this, [this, setHeld, turn, why, main] {
        setHeld(false);
        if (main) { // else Return would do what the first button does
            main->setAutoDefault(true);
            main->setDefault(true);
            main->setFocus();
        }
        if (m_field) {
            m_field->setFocus();
        }
        why->hide();
        turn->hide();
    });
}

Questions::Questions(EngineClient *client, QWidget *window, QuestionTurn *turn)
    : QObject(window), m_client(client), m_window(window), m_turn(turn ? turn : new QuestionTurn(this))
{
    connect(m_turn, &QuestionTurn::freed, this, &Questions::askNext);
    client->setAnswersQuestions(true);
    connect(client, &EngineClient::question, this, &Questions::ask);
    connect(client, &EngineClient::questionGone, this, [this](const QString &id) {
        m_waiting.removeIf([&id](const Question &question) { return question.id == id; });
        dropPutOff([&id](const Question &question) { return question.id == id; });
        if (m_asked == id) {
            withdraw();
        }
    });
    // An engine without clients refuses its questions, and one that ends drops them. The next one asks the open ones
    // again.
    connect(client, &EngineClient::statusChanged, this, [this](EngineClient::Status status) {
        if (status != EngineClient::Status::Ready) {
            m_waiting.clear();
            dropPutOff([](const Question &) { return true; });
            withdraw();
        }
    });
}

void Questions::withdraw()
{
    if (m_dialog) {
        const bool isTypedFor = m_dialog->hasInput();
        m_dialog->disconnect(this);
        m_dialog->close();
        m_dialog = nullptr;
        m_turn->withdraw(isTypedFor);
    }
}

void Questions::ask(const Question &question)
{
    const auto isIt = [&question](const Question &other) { return other.id == question.id; };
    if ((m_dialog && m_asked == question.id) || std::any_of(m_waiting.cbegin(), m_waiting.cend(), isIt)
        || std::any_of(m_putOff.cbegin(), m_putOff.cend(), isIt)) {
        return;
    }
    if (m_isWaitedFor && !m_isWaitedFor(question.host)) {
        m_putOff.append(question);
        Q_EMIT putOff(question);
        return;
    }
    m_waiting.append(question);
    askNext();
}

void Questions::askNow(const QString &host)
{
    const QList<Question> all = m_putOff;
    for (const Question &question : all) {
        if (question.host == host) {
            m_waiting.append(question);
        }
    }
    dropPutOff([&host](const Question &question) { return question.host == host; });
    askNext();
}

void Questions::dropPutOff(const std::function<bool(const Question &)> &which)
{
    QStringList hosts;
    m_putOff.removeIf([&](const Question &question) {
        const bool isDropped = which(question);
        if (isDropped) {
            hosts.append(question.host);
        }
        return isDropped;
    });
    for (const QString &host : std::as_const(hosts)) {
        if (std::none_of(m_putOff.cbegin(), m_putOff.cend(),
                [&host](const Question &question) { return question.host == host; })) {
            Q_EMIT putOffNoMore(host);
        }
    }
}

void Questions::askNext()
{
    if (!m_turn->isFree() || m_waiting.isEmpty()) {
        return;
    }
    m_turn->take();
    const Question question = m_waiting.takeFirst();
    m_asked = question.id;
    m_dialog = new QuestionDialog(question, m_window, m_turn->areKeysForAnother());
    const auto answer = [this, id = question.id](const std::optional<QString> &text) {
        m_dialog = nullptr;
        m_client->call<api::Answer>({id, text}, this, [](const Result<bool> &) {});
        m_turn->give();
    };
    connect(m_dialog, &QuestionDialog::answered, this, answer);
    connect(m_dialog, &QDialog::rejected, this, [answer] { answer(std::nullopt); });
    m_dialog->open();
}

} // namespace trainyard
