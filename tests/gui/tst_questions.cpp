// SPDX-License-Identifier: GPL-3.0-or-later
// What ssh asks, in the window, answered with keys and clicks.
#include "app/gui/copyquestions.h"
#include "app/gui/questions.h"
#include "app/gui/questionturn.h"
#include "tests/helpers/testregistry.h"

#include <QAction>
#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <chrono>

using namespace trainyard;

namespace
{
Question question(const char *kind, const char *prompt)
{
    return {QStringLiteral("q1"), QStringLiteral("lab1"), QString::fromLatin1(kind), QString::fromUtf8(prompt)};
}
QPushButton *button(QDialog *dialog, QDialogButtonBox::ButtonRole role)
{
    auto *box = dialog->findChild<QDialogButtonBox *>();
    const auto all = box->buttons();
    for (QAbstractButton *each : all) {
        if (box->buttonRole(each) == role) {
            return qobject_cast<QPushButton *>(each);
        }
    }
    return nullptr;
}
} // namespace

class TstQuestions : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void asksForAPassPhrase_data();
    void asksForAPassPhrase();
    void saysWhyItAsksForSomethingElse();
    void asksWhetherAKeyIsRight();
    void aTouchWantsNoAnswer();
    void saysWhoAsks_data();
    void saysWhoAsks();
    void promptsArePlainText();
    void aQuestionIsAskedOnce();
    void passwordsCanBeShown();
    void whatNobodyWaitsForIsPutOff();
    void answeredElsewhereItGoes();
    void withTheConnectionTheyGo();
    void copiesOfJobsThatAreGone();
    void largeCopiesAreAskedAbout();
    void twoHostsAskOneAfterTheOther();
    void keysForAQuestionThatIsGoneReachNoOther();
    void copiesWaitForWhatSshAsks();
    void aQuestionOfLaterIsNotHeld();
    void keysForAQuestionThatIsGoneAnswerNoCopy();

private:
    static QList<QuestionDialog *> dialogs(const QWidget &window) { return window.findChildren<QuestionDialog *>(); }
};

void TstQuestions::asksForAPassPhrase_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<bool>("hidden");
    QTest::newRow("pass phrase") << QByteArray("passphrase") << true;
    QTest::newRow("password") << QByteArray("password") << true;
    QTest::newRow("PIN of a key") << QByteArray("pin") << true;
    QTest::newRow("a code of the server") << QByteArray("other") << false;
}

void TstQuestions::asksForAPassPhrase()
{
    QFETCH(QByteArray, kind);
    QFETCH(bool, hidden);
    QuestionDialog dialog(question(kind.constData(), "Enter passphrase for key '/home/me/.ssh/id':"), nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    QSignalSpy answered(&dialog, &QuestionDialog::answered);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto *field = dialog.findChild<QLineEdit *>();
    QVERIFY(field);
    QCOMPARE(field->echoMode() == QLineEdit::Password, hidden);
    QVERIFY(!field->accessibleName().isEmpty());
    QTest::keyClicks(field, QStringLiteral("open sesame"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(answered.size(), 1);
    QCOMPARE(answered.first().first().toString(), QStringLiteral("open sesame"));
    QVERIFY(!dialog.isVisible());
}

// Something else is asked for since the pass phrase was wrong, which the question itself does not say.
void TstQuestions::saysWhyItAsksForSomethingElse()
{
    Question asked = question("password", "ada@lab1's password:");
    asked.lockedKey = QStringLiteral("/home/ada/<b>id</b>");
    const QuestionDialog dialog(asked, nullptr);
    const auto *before = dialog.findChild<QLabel *>(QStringLiteral("questionBefore"));
    QVERIFY(before);
    QVERIFY2(before->text().contains(asked.lockedKey), qPrintable(before->text()));
    QCOMPARE(before->textFormat(), Qt::PlainText);
    const QuestionDialog other(question("password", "ada@lab1's password:"), nullptr);
    QVERIFY(!other.findChild<QLabel *>(QStringLiteral("questionBefore")));
}

void TstQuestions::asksWhetherAKeyIsRight()
{
    const QByteArray key = "SHA256:/" + QByteArray(21, 'W') + '/' + QByteArray(20, 'W') + '.'; // lines break at slashes
    const QByteArray said = "ED25519 key fingerprint is " + key
        + "\nAre you sure you want to continue connecting (yes/no/[fingerprint])? ";
    QuestionDialog dialog(question("hostKey", said.constData()), nullptr);
    const auto *prompt = dialog.findChild<QLabel *>(QStringLiteral("questionPrompt"));
    QVERIFY(prompt);
    const QString line = QString::fromLatin1(key);
    QCOMPARE(prompt->text().trimmed(),
        QStringLiteral("ED25519 key fingerprint is\n%1\nAre you sure you want to continue connecting?").arg(line));
    QVERIFY(prompt->minimumWidth() > prompt->fontMetrics().horizontalAdvance(line));
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    QSignalSpy answered(&dialog, &QuestionDialog::answered);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    QVERIFY(!dialog.findChild<QLineEdit *>());
    // Return on a question of trust must not say yes: the button that does no harm is the one it presses.
    QTest::keyClick(&dialog, Qt::Key_Return);
    QCOMPARE(answered.size(), 0);
    QVERIFY(!dialog.isVisible());
    dialog.show();
    QTest::mouseClick(button(&dialog, QDialogButtonBox::AcceptRole), Qt::LeftButton);
    QCOMPARE(answered.size(), 1);
    QCOMPARE(answered.first().first().toString(), QStringLiteral("yes"));
}

// It goes by itself when the key was touched; until then there is nothing to type and nothing to confirm.
void TstQuestions::aTouchWantsNoAnswer()
{
    EngineClient client;
    QWidget window;
    Questions questions(&client, &window);
    Q_EMIT client.question(question("touch", "Confirm user presence for key ED25519-SK SHA256:abc"));
    QCOMPARE(dialogs(window).size(), 1);
    const QPointer<QuestionDialog> dialog(dialogs(window).first());
    QVERIFY(!dialog->findChild<QLineEdit *>());
    const auto *buttons = dialog->findChild<QDialogButtonBox *>();
    QVERIFY(buttons && buttons->buttons().size() == 1 && buttons->button(QDialogButtonBox::Close));
    const auto labels = dialog->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(),
        [](const QLabel *label) { return label->text().contains(QStringLiteral("SHA256:abc")); }));
    Q_EMIT client.questionGone(question("touch", "").id);
    QTRY_VERIFY(!dialog);
}

void TstQuestions::saysWhoAsks_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("prompt");
    QTest::addColumn<QString>("heading");
    const QString ssh = QStringLiteral("Your ssh asks, to log in to lab1"), host = QStringLiteral("lab1 asks");
    QTest::newRow("pass phrase") << QByteArray("passphrase") << QByteArray("Enter passphrase for key '/k/id':") << ssh;
    QTest::newRow("PIN of a key") << QByteArray("pin") << QByteArray("Enter PIN for ED25519-SK key /k/id:") << ssh;
    QTest::newRow("PIN of the server") << QByteArray("pin") << QByteArray("(me@lab1) PIN:") << host;
    QTest::newRow("password") << QByteArray("password") << QByteArray("me@lab1's password:") << host;
    QTest::newRow("code") << QByteArray("other") << QByteArray("(me@lab1) Verification code:") << host;
}

// A pass phrase that is typed never leaves this computer.
void TstQuestions::saysWhoAsks()
{
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, prompt);
    QuestionDialog dialog(question(kind.constData(), prompt.constData()), nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    const auto labels = dialog.findChildren<QLabel *>();
    QVERIFY(!labels.isEmpty());
    QTEST(labels.first()->text(), "heading");
}

void TstQuestions::promptsArePlainText()
{
    QuestionDialog dialog(question("other", "<b>Code</b> <img src='x'>"), nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    const auto labels = dialog.findChildren<QLabel *>();
    const auto shown = std::find_if(labels.cbegin(), labels.cend(),
        [](const QLabel *label) { return label->text().contains(QStringLiteral("Code")); });
    QVERIFY(shown != labels.cend());
    QCOMPARE((*shown)->textFormat(), Qt::PlainText);
}

void TstQuestions::aQuestionIsAskedOnce()
{
    EngineClient client;
    QWidget window;
    Questions questions(&client, &window);
    const Question asked = question("passphrase", "Enter:");
    Q_EMIT client.question(asked);
    Q_EMIT client.question(asked);
    QCOMPARE(dialogs(window).size(), 1);
    Question other = asked;
    other.id = QStringLiteral("q2");
    Q_EMIT client.question(other);
    // One after the other: the second does not take the keys that are meant for the first.
    QCOMPARE(dialogs(window).size(), 1);
    const QPointer<QuestionDialog> first(dialogs(window).first());
    QTest::keyClick(first, Qt::Key_Escape);
    QTRY_VERIFY(!first);
    QCOMPARE(dialogs(window).size(), 1);
    QVERIFY(dialogs(window).first()->isVisible());
    Q_EMIT client.questionGone(QStringLiteral("q2"));
    QTRY_VERIFY(dialogs(window).isEmpty());
}

// What was typed can be looked at before it is sent, and the button that sends it is the one that stands out.
void TstQuestions::passwordsCanBeShown()
{
    QuestionDialog dialog(question("password", "me@lab1's password:"), nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    auto *field = dialog.findChild<QLineEdit *>();
    auto *reveal = dialog.findChild<QAction *>(QStringLiteral("reveal"));
    QVERIFY(field && reveal);
    QCOMPARE(field->echoMode(), QLineEdit::Password);
    reveal->trigger();
    QCOMPARE(field->echoMode(), QLineEdit::Normal);
    reveal->trigger();
    QCOMPARE(field->echoMode(), QLineEdit::Password);
    QVERIFY(button(&dialog, QDialogButtonBox::AcceptRole)->isDefault());
}

// A host that is needed while its user does something else: the keyboard stays where it is.
void TstQuestions::whatNobodyWaitsForIsPutOff()
{
    EngineClient client;
    QWidget window;
    auto *field = new QLineEdit(&window);
    window.show();
    window.activateWindow();
    field->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QString waitedFor;
    Questions questions(&client, &window);
    questions.setWaitedFor([&waitedFor](const QString &host) { return host == waitedFor; });
    QSignalSpy putOff(&questions, &Questions::putOff), over(&questions, &Questions::putOffNoMore);
    const Question asked = question("passphrase", "Enter passphrase for key '/k/id':");
    Q_EMIT client.question(asked);
    Q_EMIT client.question(asked); // a list of those that are open
    QCOMPARE(putOff.size(), 1);
    QVERIFY(dialogs(window).isEmpty());
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("lr: 0.1"));
    QCOMPARE(field->text(), QStringLiteral("lr: 0.1"));
    questions.askNow(QStringLiteral("lab2"));
    QVERIFY(dialogs(window).isEmpty());
    questions.askNow(asked.host);
    QCOMPARE(dialogs(window).size(), 1);
    QCOMPARE(over.size(), 1);
    const QPointer<QuestionDialog> dialog(dialogs(window).first());
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!dialog);
    // One that goes before anybody has looked at it, and one that the user waits for.
    Q_EMIT client.question(asked);
    QCOMPARE(putOff.size(), 2);
    Q_EMIT client.questionGone(asked.id);
    QCOMPARE(over.size(), 2);
    waitedFor = asked.host;
    Q_EMIT client.question(asked);
    QCOMPARE(putOff.size(), 2);
    QCOMPARE(dialogs(window).size(), 1);
    Q_EMIT client.questionGone(asked.id);
    QTRY_VERIFY(dialogs(window).isEmpty());
}

void TstQuestions::answeredElsewhereItGoes()
{
    EngineClient client;
    QWidget window;
    Questions questions(&client, &window);
    Q_EMIT client.question(question("password", "me@lab1's password:"));
    QCOMPARE(dialogs(window).size(), 1);
    const QPointer<QuestionDialog> dialog(dialogs(window).first());
    QVERIFY(dialog->isVisible());
    Q_EMIT client.questionGone(QStringLiteral("another"));
    QVERIFY(dialog->isVisible());
    Q_EMIT client.questionGone(QStringLiteral("q1"));
    QTRY_VERIFY(!dialog);
    // Put again, it is a new question.
    Q_EMIT client.question(question("password", "me@lab1's password:"));
    QCOMPARE(dialogs(window).size(), 1);
    QTest::keyClick(dialogs(window).first(), Qt::Key_Escape);
    QTRY_VERIFY(dialogs(window).isEmpty());
}

// The engine that asked waits for no answer any more: a password that is typed then goes nowhere.
void TstQuestions::withTheConnectionTheyGo()
{
    EngineClient client;
    QWidget window;
    Questions questions(&client, &window);
    const Question asked = question("password", "me@lab1's password:");
    Question next = asked;
    next.id = QStringLiteral("q2");
    Q_EMIT client.question(asked);
    Q_EMIT client.question(next);
    const QPointer<QuestionDialog> dialog(dialogs(window).value(0));
    QVERIFY(dialog && dialog->isVisible());
    Q_EMIT client.statusChanged(EngineClient::Status::Connecting);
    QTRY_VERIFY(!dialog);
    QVERIFY(dialogs(window).isEmpty()); // nor the one that waited for its turn
    Q_EMIT client.statusChanged(EngineClient::Status::Ready);
    QVERIFY(dialogs(window).isEmpty());
    Q_EMIT client.question(next); // what is still open is asked again
    QCOMPARE(dialogs(window).size(), 1);
    Q_EMIT client.questionGone(next.id);
    QTRY_VERIFY(dialogs(window).isEmpty());
}

// Removed while the window had no connection, of which it is told by the list that comes with the next one.
void TstQuestions::copiesOfJobsThatAreGone()
{
    EngineClient client;
    QWidget window;
    CopyQuestions questions(&client, &window);
    JobSummary job;
    job.uuid = QStringLiteral("u1");
    job.id = 1;
    job.state = State::Waiting;
    job.reason = QStringLiteral("code.asks");
    Q_EMIT client.jobChanged(job);
    const QPointer<QMessageBox> box(window.findChild<QMessageBox *>(QStringLiteral("copyBox")));
    QVERIFY(box && box->isVisible());
    Q_EMIT client.reset();
    QTRY_VERIFY(!box || !box->isVisible());
}

// Once for each job, one after the other; Return, which somebody may be typing, copies nothing.
void TstQuestions::largeCopiesAreAskedAbout()
{
    EngineClient client;
    QWidget window;
    CopyQuestions questions(&client, &window);
    const auto boxes = [&window] { return window.findChildren<QMessageBox *>(QStringLiteral("copyBox")); };
    JobSummary job;
    job.uuid = QStringLiteral("u1");
    job.name = QStringLiteral("first");
    job.id = 1;
    job.state = State::Waiting;
    Q_EMIT client.jobChanged(job);
    QVERIFY(boxes().isEmpty());
    job.reason = QStringLiteral("code.asks");
    job.reasonArgs = {{QStringLiteral("folder"), QStringLiteral("/proj/x")}};
    Q_EMIT client.jobChanged(job);
    Q_EMIT client.jobChanged(job);
    QCOMPARE(boxes().size(), 1);
    const QPointer<QMessageBox> first(boxes().first());
    QVERIFY2(first->text().contains(QStringLiteral("first #1")), qPrintable(first->text()));
    QVERIFY(first->informativeText().contains(QStringLiteral("/proj/x")));
    QCOMPARE(first->defaultButton(), first->button(QMessageBox::Cancel));
    JobSummary other = job;
    other.uuid = QStringLiteral("u2");
    other.name = QStringLiteral("second");
    Q_EMIT client.jobChanged(other);
    QCOMPARE(boxes().size(), 1);
    QTest::keyClick(first, Qt::Key_Escape);
    QTRY_VERIFY(!first);
    QCOMPARE(boxes().size(), 1);
    const QPointer<QMessageBox> second(boxes().first());
    QVERIFY(second->text().contains(QStringLiteral("second")));
    // Put off, it is not put again; answered elsewhere, it goes.
    Q_EMIT client.jobChanged(job);
    other.reason.clear();
    Q_EMIT client.jobChanged(other);
    QTRY_VERIFY(!second);
    QVERIFY(boxes().isEmpty());
}

// What is typed for the one host does not end up with the other, whenever that begins to ask.
void TstQuestions::twoHostsAskOneAfterTheOther()
{
    EngineClient client;
    QWidget window;
    window.show();
    Questions questions(&client, &window);
    Question other = question("password", "bob@lab2's password:");
    other.id = QStringLiteral("q2");
    other.host = QStringLiteral("lab2");
    Q_EMIT client.question(question("password", "me@lab1's password:"));
    const QPointer<QuestionDialog> first(dialogs(window).value(0));
    QVERIFY(first && QTest::qWaitForWindowActive(first));
    auto *field = first->findChild<QLineEdit *>();
    QSignalSpy answered(first, &QuestionDialog::answered);
    QTest::keyClicks(field, QStringLiteral("sec"));
    Q_EMIT client.question(other);
    QCOMPARE(dialogs(window).size(), 1);
    QCOMPARE(QApplication::activeWindow(), first.data());
    QCOMPARE(QApplication::focusWidget(), field);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("ret"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(answered.value(0).value(0).toString(), QStringLiteral("secret"));
    QTRY_VERIFY(!first);
    QCOMPARE(dialogs(window).size(), 1);
    const QuestionDialog *second = dialogs(window).first();
    QVERIFY(second->windowTitle().contains(QStringLiteral("lab2")));
    QVERIFY(second->findChild<QLineEdit *>()->isEnabled()); // the first one was answered: the keys are for this one
    QCOMPARE(second->findChild<QLineEdit *>()->text(), QString());
}

// The first host gives up while its password is being typed: the rest of it is not sent to the next one.
void TstQuestions::keysForAQuestionThatIsGoneReachNoOther()
{
    for (const char *kind : {"password", "hostKey"}) {
        EngineClient client;
        QWidget window;
        window.show();
        Questions questions(&client, &window);
        Question other = question(kind, "lab2 asks");
        other.id = QStringLiteral("q2");
        other.host = QStringLiteral("lab2");
        Q_EMIT client.question(question("password", "me@lab1's password:"));
        Q_EMIT client.question(other);
        const QPointer<QuestionDialog> first(dialogs(window).value(0));
        QVERIFY(first && QTest::qWaitForWindowActive(first));
        QTest::keyClicks(first->findChild<QLineEdit *>(), QStringLiteral("sec"));
        Q_EMIT client.questionGone(QStringLiteral("q1"));
        QTRY_VERIFY(!first);
        const QPointer<QuestionDialog> second(dialogs(window).value(0));
        QVERIFY(second && QTest::qWaitForWindowActive(second));
        QSignalSpy answered(second, &QuestionDialog::answered);
        QVERIFY(QApplication::focusWidget());
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("r et"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QVERIFY(second && second->isVisible());
        QCOMPARE(answered.size(), 0);
        // Once the user has turned to it, it is as any other.
        auto *turn = second->findChild<QPushButton *>(QStringLiteral("questionAnswer"));
        QVERIFY(turn && turn->isVisible());
        QTest::mouseClick(turn, Qt::LeftButton);
        auto *field = second->findChild<QLineEdit *>();
        QVERIFY(button(second, QDialogButtonBox::AcceptRole)->isEnabled());
        if (field) {
            QCOMPARE(field->text(), QString());
            QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("hunter2"));
        }
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        // Return sends what was typed, and trusts no key.
        QCOMPARE(answered.value(0).value(0).toString(), field ? QStringLiteral("hunter2") : QString());
        QTRY_VERIFY(!second);
    }
}

// Another kind of question waits for its turn, too.
void TstQuestions::copiesWaitForWhatSshAsks()
{
    EngineClient client;
    QWidget window;
    QuestionTurn turn;
    Questions questions(&client, &window, &turn);
    CopyQuestions copies(&client, &window, &turn);
    const auto boxes = [&window] { return window.findChildren<QMessageBox *>(QStringLiteral("copyBox")); };
    Q_EMIT client.question(question("password", "me@lab1's password:"));
    const QPointer<QuestionDialog> first(dialogs(window).value(0));
    QVERIFY(first);
    JobSummary job;
    job.uuid = QStringLiteral("u1");
    job.state = State::Waiting;
    job.reason = QStringLiteral("code.asks");
    job.reasonArgs = {{QStringLiteral("folder"), QStringLiteral("/proj/x")}};
    Q_EMIT client.jobChanged(job);
    QVERIFY(boxes().isEmpty());
    QTest::keyClick(first, Qt::Key_Escape);
    QCOMPARE(boxes().size(), 1);
    Question other = question("password", "bob@lab2's password:");
    other.id = QStringLiteral("q2");
    Q_EMIT client.question(other);
    QTRY_VERIFY(!first);
    QVERIFY(dialogs(window).isEmpty());
    const QPointer<QMessageBox> box(boxes().first());
    QTest::keyClick(box, Qt::Key_Escape);
    QTRY_VERIFY(!box);
    QCOMPARE(dialogs(window).size(), 1);
}

// Nobody types for two seconds into what is not there any more.
void TstQuestions::aQuestionOfLaterIsNotHeld()
{
    std::chrono::steady_clock::time_point now;
    EngineClient client;
    QWidget window;
    QuestionTurn turn(nullptr, [&now] { return now; });
    Questions questions(&client, &window, &turn);
    const auto isHeld = [](const QPointer<QuestionDialog> &dialog) {
        return dialog->findChild<QPushButton *>(QStringLiteral("questionAnswer")) != nullptr;
    };
    // The next one comes `after` the one that is withdrawn while its password is being typed.
    const auto askAfter = [&](std::chrono::milliseconds after) {
        Q_EMIT client.question(question("password", "me@lab1's password:"));
        QTest::keyClicks(dialogs(window).constFirst()->findChild<QLineEdit *>(), QStringLiteral("sec"));
        const QPointer<QuestionDialog> first(dialogs(window).constFirst());
        Q_EMIT client.questionGone(QStringLiteral("q1"));
        const bool isGone = QTest::qWaitFor([&first] { return !first; });
        now += after;
        Question other = question("password", "bob@lab2's password:");
        other.id = QStringLiteral("q2");
        Q_EMIT client.question(other);
        return isGone ? QPointer<QuestionDialog>(dialogs(window).value(0)) : QPointer<QuestionDialog>();
    };
    const QPointer<QuestionDialog> soon = askAfter(std::chrono::milliseconds(1999));
    QVERIFY(soon && isHeld(soon));
    // One that goes unanswered changes nothing: the keys are still those for the first one.
    Question third = question("password", "eve@lab3's password:");
    third.id = QStringLiteral("q3");
    Q_EMIT client.question(third);
    Q_EMIT client.questionGone(QStringLiteral("q2"));
    QTRY_VERIFY(!soon);
    const QPointer<QuestionDialog> next(dialogs(window).value(0));
    QVERIFY(next && isHeld(next));
    QTest::keyClick(next, Qt::Key_Escape); // the user has seen it
    QTRY_VERIFY(!next);
    Q_EMIT client.question(third);
    const QPointer<QuestionDialog> again(dialogs(window).value(0));
    QVERIFY(again && !isHeld(again));
    QTest::keyClick(again, Qt::Key_Escape);
    QTRY_VERIFY(!again);
    const QPointer<QuestionDialog> later = askAfter(std::chrono::seconds(2));
    QVERIFY(later && !isHeld(later));
    QVERIFY(later->findChild<QLineEdit *>()->isEnabled());
}

// The box about a copy has the next turn: the rest of a password does not put it off, nor get into what comes after it.
void TstQuestions::keysForAQuestionThatIsGoneAnswerNoCopy()
{
    std::chrono::steady_clock::time_point now;
    EngineClient client;
    QWidget window;
    QuestionTurn turn(nullptr, [&now] { return now; });
    CopyQuestions copies(&client, &window, &turn); // before the other: it is the first to hear of a free turn
    Questions questions(&client, &window, &turn);
    JobSummary job;
    job.uuid = QStringLiteral("u1");
    job.state = State::Waiting;
    job.reason = QStringLiteral("code.asks");
    job.reasonArgs = {{QStringLiteral("folder"), QStringLiteral("/proj/x")}};
    Question other = question("password", "bob@lab2's password:");
    other.id = QStringLiteral("q2");
    for (const bool isAnsweredElsewhere : {true, false}) {
        Q_EMIT client.question(question("password", "me@lab1's password:"));
        const QPointer<QuestionDialog> first(dialogs(window).value(0));
        QVERIFY(first);
        QTest::keyClicks(first->findChild<QLineEdit *>(), QStringLiteral("sec"));
        Q_EMIT client.jobChanged(job);
        Q_EMIT client.question(other);
        Q_EMIT client.questionGone(QStringLiteral("q1"));
        QTRY_VERIFY(!first);
        QVERIFY(dialogs(window).isEmpty());
        const QPointer<QMessageBox> box(window.findChild<QMessageBox *>(QStringLiteral("copyBox")));
        QVERIFY(box);
        QTest::keyClick(box->button(QMessageBox::Yes), Qt::Key_Space);
        QTest::keyClick(box, Qt::Key_Return);
        QVERIFY(box && box->isVisible());
        if (isAnsweredElsewhere) {
            JobSummary answered = job;
            answered.reason.clear();
            Q_EMIT client.jobChanged(answered);
        } else {
            now += std::chrono::seconds(2);
            QTest::keyClick(box, Qt::Key_Return);
        }
        QTRY_VERIFY(!box);
        const QPointer<QuestionDialog> second(dialogs(window).value(0));
        QVERIFY(second);
        QCOMPARE(second->findChild<QPushButton *>(QStringLiteral("questionAnswer")) != nullptr, isAnsweredElsewhere);
        QTest::keyClick(second, Qt::Key_Escape);
        QTRY_VERIFY(!second);
    }
}

TRAINYARD_GUI_TEST(TstQuestions)
#include "tst_questions.moc"
