// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/gitaddress.h"
#include "model/template/pluginsteps.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What git is told of a repository's address, and what goes to it by another way.
class TstGitAddress : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void addresses_data();
    void addresses();
    void options();
    void steps();
};
TRAINYARD_TEST(TstGitAddress)

void TstGitAddress::addresses_data()
{
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("filled");
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("login"); // "user password", or empty
    QTest::addColumn<bool>("hasSecret");
    const auto row = [](const char *name, const QString &written, const QString &filled, const QString &address,
                         const QString &login, bool hasSecret = false) {
        QTest::newRow(name) << written << filled << address << login << hasSecret;
    };
    const QString both = u"https://<% $secrets.user %>:<% $secrets.token %>@host/a.git"_s;
    row("OpenPAI's way", both, u"https://me:tok@host/a.git"_s, u"https://host/a.git"_s, u"me tok"_s);
    row("signs in the token", both, u"https://me:t/o@k:?#@host/a.git"_s, u"https://host/a.git"_s, u"me t/o@k:?#"_s);
    row("written as numbers", both, u"https://me:t%2Fo%zz%@host/a.git"_s, u"https://host/a.git"_s, u"me t/o%zz%"_s);
    row("signs before a path with a parameter", u"https://u:<% $secrets.t %>@host/<% $parameters.p %>.git"_s,
        u"https://u:a/b@host/x.git"_s, u"https://u:a/b@host/x.git"_s, {}, true);
    row("a path with a parameter", u"https://u:<% $secrets.t %>@host/<% $parameters.p %>.git"_s,
        u"https://u:ab@host/x.git"_s, u"https://host/x.git"_s, u"u ab"_s);
    row("a login in clear", u"https://me:tok@host:8443/a.git"_s, u"https://me:tok@host:8443/a.git"_s,
        u"https://host:8443/a.git"_s, u"me tok"_s);
    row("a user in clear", u"https://me@host/a.git"_s, u"https://me@host/a.git"_s, u"https://me@host/a.git"_s, {});
    row("a token as the user", u"https://<% $secrets.t %>@host/a"_s, u"https://tok@host/a"_s, u"https://host/a"_s,
        u"tok "_s);
    row("no user", u"https://:<% $secrets.t %>@host/a"_s, u"https://:tok@host/a"_s, u"https://host/a"_s, u" tok"_s);
    row("the whole address", u" <% $secrets.all %> "_s, u" https://me:tok@host/a "_s, u"https://host/a"_s, u"me tok"_s);
    row("the whole address without a login", u"<% $secrets.all %>"_s, u"https://host/a"_s, u"https://host/a"_s, {},
        true);
    row("the path", u"https://me:x@host/<% $secrets.p %>"_s, u"https://me:x@host/p"_s, u"https://host/p"_s, u"me x"_s,
        true);
    row("the host", u"https://me:x@<% $secrets.h %>/a"_s, u"https://me:x@h/a"_s, u"https://h/a"_s, u"me x"_s, true);
    row("nothing secret", u"https://host/<% $parameters.p %>@2"_s, u"https://host/p@2"_s, u"https://host/p@2"_s, {});
    row("ssh", u"ssh://git@host/a"_s, u"ssh://git@host/a"_s, u"ssh://git@host/a"_s, {});
    row("ssh with a password", u"ssh://git:<% $secrets.t %>@host/a"_s, u"ssh://git:tok@host/a"_s, u"ssh://git@host/a"_s,
        {});
    row("ssh with a secret user", u"ssh://<% $secrets.t %>@host/a"_s, u"ssh://tok@host/a"_s, u"ssh://tok@host/a"_s, {},
        true);
    row("as scp writes it", u"git@host:org/<% $parameters.p %>"_s, u"git@host:org/p"_s, u"git@host:org/p"_s, {});
    row("a secret as scp writes it", u"git@host:org/<% $secrets.p %>"_s, u"git@host:org/p"_s, u"git@host:org/p"_s, {},
        true);
    row("a file", u"file:///a b/c"_s, u"file:///a b/c"_s, u"file:///a b/c"_s, {});
}

void TstGitAddress::addresses()
{
    QFETCH(QString, written);
    QFETCH(QString, filled);
    QFETCH(QString, address);
    QFETCH(QString, login);
    QFETCH(bool, hasSecret);
    const GitAddress split = splitGitAddress(filled, written);
    QCOMPARE(split.hasSecret, hasSecret);
    QCOMPARE(split.address, address);
    QCOMPARE(split.login ? QString(split.login->user + u' ' + split.login->password) : QString(), login);
    if (split.login) {
        QVERIFY2(address.startsWith(split.login->servers.first() + u'/'), qPrintable(split.login->servers.first()));
    }
}

void TstGitAddress::options()
{
    QCOMPARE(splitGitOption(u"--depth 1"_s, u"--depth 1"_s), (QList<GitOption>{{u"--depth"_s}, {u"1"_s}}));
    QCOMPARE(splitGitOption(u"-c a.b=\"x tok\" --depth 1"_s, u"-c a.b=\"x <% $secrets.t %>\" --depth 1"_s),
        (QList<GitOption>{{u"-c"_s}, {u"a.b=x tok"_s, true}, {u"--depth"_s}, {u"1"_s}}));
    // The secret has a blank: nobody knows which of the words are its own.
    QCOMPARE(splitGitOption(u"--branch a b"_s, u"--branch <% $secrets.t %>"_s),
        (QList<GitOption>{{u"--branch"_s, true}, {u"a"_s, true}, {u"b"_s, true}}));
}

void TstGitAddress::steps()
{
    const auto with = [](const QString &option) {
        return Value(Value::Map{{u"repo_uri"_s, Value(u"https://host/a"_s)}, {u"options"_s, Value(option)}});
    };
    const auto step
        = [&](const QString &written, const QString &filled) { return gitStep(with(filled), with(written)); };
    const QString plain = step(u"-c a.b=c --revision x"_s, u"-c a.b=c --revision x"_s);
    QVERIFY2(plain.contains("__ty_git_options=( -c 'a.b=c' )"_L1) || plain.contains("__ty_git_options=( -c a.b=c )"_L1),
        qPrintable(plain.left(300)));
    QVERIFY(plain.contains("__ty_git_revision=x\n"_L1));
    const QString secret = step(u"--config=a.b=<% $secrets.t %>"_s, u"--config=a.b=it's"_s);
    QVERIFY(secret.contains("__ty_git_options=( )"_L1));
    QVERIFY2(secret.contains("a.b=it"_L1), qPrintable(secret.left(300)));
    QVERIFY(step(u"-ca.b=<% $secrets.t %>"_s, u"-ca.b=tok"_s).contains("__ty_git_options=( )"_L1));
    for (const QString &written : {u"--branch <% $secrets.t %>"_s, u"--revision=<% $secrets.t %>"_s,
             u"--revision <% $secrets.t %>"_s, u"<% $secrets.t %>"_s}) {
        const QString refused = step(written, QString(written).replace(u"<% $secrets.t %>"_s, u"tok4711"_s));
        QVERIFY2(refused.contains("git-secret options"_L1) && !refused.contains("tok4711"_L1), qPrintable(written));
    }
}

#include "tst_gitaddress.moc"
