// SPDX-License-Identifier: GPL-3.0-or-later
// A host is added in the window, and whatever keeps ssh out is put right as the window says. A real sshd in a network
// namespace.
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"
#include "tests/program/drivengui.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace
{

constexpr int patienceMs = 40000; // a login takes three connections, and a busy computer its time

QByteArray contentsOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool replaceFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

// The window on an engine of its own, beside a host that it does not know yet.
class HostWindow
{
public:
    explicit HostWindow(const SshHosts &hosts) : m_name(hosts.name(0)), m_gui(m_programs, {}) { }
    DrivenGui *operator->() { return &m_gui; }

    bool add() { return m_gui.clickButton(u"Add a host"_s) && m_gui.enter(u"hostsDock"_s, m_name); }
    bool answer(const QString &text) { return m_gui.enter(u"questionDialog"_s, text); }

    // As the page of the hosts has it: "online".
    QString state()
    {
        const QString begin = m_name + u", "_s;
        const QList<QStringList> rows = m_gui.rows(u"hostList"_s);
        for (const QStringList &row : rows) {
            if (row.value(0).startsWith(begin)) {
                return row.constFirst().mid(begin.size());
            }
        }
        return {};
    }
    bool isIn(const QString &wanted) { return state().startsWith(wanted); }
    QString said() { return m_gui.texts().join(u'\n'); }
    bool says(const QString &text) { return said().contains(text); }

private:
    ProgramsFixture m_programs;
    QString m_name;
    DrivenGui m_gui;
};

} // namespace

class TstAddingHosts : public QObject
{
    Q_OBJECT

    // Beside the configuration of ssh: its keys, those that the server lets in, and those of hosts that are known.
    static QString fileOf(const SshHosts &hosts, const QString &name)
    {
        return QFileInfo(hosts.configFile()).path() + u'/' + name;
    }

    static bool lockKey(const SshHosts &hosts, const QString &phrase)
    {
        return QProcess::execute(
                   u"ssh-keygen"_s, {u"-q"_s, u"-p"_s, u"-P"_s, {}, u"-N"_s, phrase, u"-f"_s, fileOf(hosts, u"id"_s)})
            == 0;
    }

    static QString wrongPhrase(const SshHosts &hosts)
    {
        return u"The pass phrase of the key %1, with which %2 is reached, was wrong. Check the host again to type it."_s
            .arg(fileOf(hosts, u"id"_s), hosts.name(0));
    }

private Q_SLOTS:
    void cleanup() { qunsetenv("TRAINYARD_SSH_CONFIG"); }
    void wrongPassPhrase();
    void somethingElseAfterAWrongPassPhrase();
    void refusedKey();
    void changedHostKey();
};

// The server takes keys only: after the wrong answer nobody is asked again until the user wants it.
void TstAddingHosts::wrongPassPhrase()
{
    const SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    const QString phrase = u"open-sesame-4721"_s;
    QVERIFY(lockKey(hosts, phrase));
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    HostWindow window(hosts);
    QVERIFY(window.add());
    QVERIFY(window.answer(u"open-sesame"_s));
    QTRY_VERIFY2_WITH_TIMEOUT(window.isIn(u"needs you to log in"_s), qPrintable(window.state()), patienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(window.says(wrongPhrase(hosts)), qPrintable(window.said()), 5000);
    QCOMPARE(window->dialogs(), QStringList());
    QVERIFY(window->click(u"hostAgain"_s));
    QTRY_VERIFY2_WITH_TIMEOUT(window->text(u"questionPrompt"_s).contains(fileOf(hosts, u"id"_s)),
        qPrintable(window->text(u"questionPrompt"_s)), patienceMs);
    QVERIFY(window.says(wrongPhrase(hosts))); // behind the question, the page of the host still says why
    QVERIFY(window.answer(phrase));
    QTRY_VERIFY2_WITH_TIMEOUT(window.isIn(u"online"_s), qPrintable(window.state() + window.said()), patienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(!window.says(u"pass phrase"_s), qPrintable(window.said()), 5000);
}

// The server takes passwords, too, and ssh asks for one at once: the question says that the key was not unlocked.
void TstAddingHosts::somethingElseAfterAWrongPassPhrase()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    QVERIFY(hosts.addToServer(0, "PasswordAuthentication yes\nKbdInteractiveAuthentication no\n"));
    const QString key = fileOf(hosts, u"id"_s), phrase = u"open-sesame-4722"_s;
    QVERIFY(lockKey(hosts, phrase));
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    HostWindow window(hosts);
    QVERIFY(window.add());
    QVERIFY(window.answer(u"open-sesame"_s));
    QTRY_VERIFY2_WITH_TIMEOUT(window->text(u"questionPrompt"_s).endsWith(u"'s password:"_s),
        qPrintable(window->text(u"questionPrompt"_s)), patienceMs);
    QCOMPARE(window->text(u"questionBefore"_s),
        u"The key %1 was not unlocked: its pass phrase was wrong, or was not given. So the host asks for something "
        "else."_s.arg(key));
    QVERIFY(window->clickButton(u"Cancel"_s));
    QTRY_VERIFY2_WITH_TIMEOUT(window.says(wrongPhrase(hosts)), qPrintable(window.said()), patienceMs);
    QVERIFY(window->click(u"hostAgain"_s));
    QTRY_VERIFY2_WITH_TIMEOUT(
        window->text(u"questionPrompt"_s).contains(key), qPrintable(window->text(u"questionPrompt"_s)), patienceMs);
    QCOMPARE(window->text(u"questionBefore"_s), QString()); // it asks for the pass phrase itself
    QVERIFY(window.answer(phrase));
    QTRY_VERIFY2_WITH_TIMEOUT(window.isIn(u"online"_s), qPrintable(window.state() + window.said()), patienceMs);
}

void TstAddingHosts::refusedKey()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    QVERIFY(hosts.addToServer(0, "KbdInteractiveAuthentication no\n")); // nor anything that could be typed
    const QString authorized = fileOf(hosts, u"authorized"_s);
    QVERIFY(replaceFile(authorized, {}));
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    HostWindow window(hosts);
    QVERIFY(window.add());
    QTRY_VERIFY2_WITH_TIMEOUT(window.isIn(u"accepts none of your keys"_s), qPrintable(window.state()), patienceMs);
    const QString key = fileOf(hosts, u"id"_s);
    const QString why
        = u"%1 does not let the user root in: it accepts only publickey, and none of the keys that ssh has tried: %2."_s
              .arg(hosts.name(0), key);
    QTRY_VERIFY2_WITH_TIMEOUT(window.says(why), qPrintable(window.said()), 5000);
    QVERIFY2(
        window.says(u"have the public key (%1.pub) added to ~/.ssh/authorized_keys of that user there."_s.arg(key)),
        qPrintable(window.said()));
    QTRY_COMPARE_WITH_TIMEOUT(window->text(u"hostAgain"_s), u"Check again"_s, 5000); // there is nothing to log in with
    QCOMPARE(window->dialogs(), QStringList());
    QVERIFY(replaceFile(authorized, contentsOf(fileOf(hosts, u"id.pub"_s)))); // as the sentence says
    QVERIFY(window->click(u"hostCheck"_s));
    QTRY_VERIFY2_WITH_TIMEOUT(window.isIn(u"online"_s), qPrintable(window.state() + window.said()), patienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(!window.says(why), qPrintable(window.said()), 5000);
}

// Of another key than the known one: nothing but forgetting the old key on purpose lets it in.
void TstAddingHosts::changedHostKey()
{
    const SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    const QString other = fileOf(hosts, u"other"_s), known = fileOf(hosts, u"known"_s);
    QCOMPARE(QProcess::execute(u"ssh-keygen"_s, {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, {}, u"-f"_s, other}), 0);
    QVERIFY(replaceFile(known, hosts.address(0).toUtf8() + ' ' + contentsOf(other + u".pub"_s)));
    QByteArray config = contentsOf(hosts.configFile());
    config.replace("StrictHostKeyChecking yes", "StrictHostKeyChecking ask"); // as ssh itself has it
    QVERIFY(replaceFile(hosts.configFile(), config));
    QProcess print;
    print.start(u"ssh-keygen"_s, {u"-l"_s, u"-f"_s, fileOf(hosts, u"hostkey.pub"_s)});
    QVERIFY(print.waitForFinished());
    const QString fingerprint = QString::fromLatin1(print.readAllStandardOutput()).section(u' ', 1, 1);
    QVERIFY2(fingerprint.startsWith(u"SHA256:"_s), qPrintable(fingerprint));
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    HostWindow window(hosts);
    QVERIFY(window.add());
    const QString changed = u"its host key has changed"_s;
    QTRY_VERIFY2_WITH_TIMEOUT(window.isIn(changed), qPrintable(window.state()), patienceMs);
    const QString why = u"The host key of %1 has changed: its fingerprint is %2 now. Compare it with what the "
                        "administrator of the host says. If it is right, remove the old one with 'ssh-keygen "_s.arg(
                            hosts.name(0), fingerprint);
    QTRY_VERIFY2_WITH_TIMEOUT(window.says(why), qPrintable(window.said()), 5000);
    QCOMPARE(window->dialogs(), QStringList());
    // Another check by itself changes nothing: the bar that goes with the click comes back, and nobody was asked.
    QVERIFY(window->click(u"hostAgain"_s));
    QTRY_COMPARE_WITH_TIMEOUT(window->text(u"hostAgain"_s), u"Check again"_s, patienceMs);
    QVERIFY2(window.isIn(changed), qPrintable(window.state()));
    QCOMPARE(window->dialogs(), QStringList());
    // What the sentence says, by the button that copies it.
    QVERIFY(window->click(u"hostCopyCommand"_s));
    const QString command = window->clipboard();
    QVERIFY2(command.startsWith(u"ssh-keygen "_s) && window.says(u'\'' + command + u'\''), qPrintable(command));
    QCOMPARE(QProcess::execute(u"sh"_s, {u"-c"_s, command}), 0);
    QVERIFY2(!contentsOf(known).contains(hosts.address(0).toUtf8()), contentsOf(known).constData());
    QVERIFY(window->click(u"hostCheck"_s));
    QTRY_VERIFY2_WITH_TIMEOUT(window->text(u"questionPrompt"_s).contains(fingerprint),
        qPrintable(window->text(u"questionPrompt"_s) + window.said()), patienceMs);
    QVERIFY(window->clickButton(u"Yes, connect"_s));
    QTRY_VERIFY2_WITH_TIMEOUT(window.isIn(u"online"_s), qPrintable(window.state() + window.said()), patienceMs);
    QVERIFY(contentsOf(known).contains(hosts.address(0).toUtf8()));
}

TRAINYARD_TEST(TstAddingHosts)
#include "tst_addinghosts.moc"
