// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/clustersecrets.h"
#include "tests/helpers/testregistry.h"
#include "widgets/hosts/clusterview.h"
#include "widgets/hosts/openpaidialog.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QWidget>

using namespace trainyard;
using namespace Qt::StringLiterals;

// An OpenPAI cluster in the window: the dialog in which one is set, and what is shown of one.
class TstOpenPaiDialog : public QObject
{
    Q_OBJECT

    template <typename T> static T *part(const QObject *of, const char *name)
    {
        return of->findChild<T *>(QLatin1StringView(name));
    }

private Q_SLOTS:
    void aNewOne()
    {
        QWidget window;
        const QPointer<OpenPaiDialog> dialog = new OpenPaiDialog(QStringList{u"lab"_s}, &window);
        QSignalSpy saved(dialog, &OpenPaiDialog::saveRequested);
        auto *save = part<QPushButton>(dialog, "openPaiSave");
        QVERIFY(!save->isEnabled());
        part<QLineEdit>(dialog, "openPaiName")->setText(u"far"_s);
        part<QLineEdit>(dialog, "openPaiAddress")->setText(u"pai.example.org/"_s);
        part<QLineEdit>(dialog, "openPaiUser")->setText(u"ada"_s);
        QVERIFY(!save->isEnabled());
        auto *token = part<QLineEdit>(dialog, "openPaiToken");
        QCOMPARE(token->echoMode(), QLineEdit::Password);
        token->setText(u" secret "_s);
        QVERIFY(save->isEnabled());
        save->click();
        QCOMPARE(saved.size(), 1);
        const auto entry = saved.first().first().value<OpenPaiEntry>();
        QCOMPARE(entry, (OpenPaiEntry{u"far"_s, u"https://pai.example.org"_s, u"ada"_s, {}, u"secret"_s, false}));
        QVERIFY(!save->isEnabled()); // it waits
        dialog->setSaveError(u"No."_s);
        QVERIFY(save->isEnabled());
        dialog->setSaved();
        QTRY_VERIFY(dialog.isNull());
    }

    // The cluster makes a token by it. It may have blanks, and is asked for also where a token is kept.
    void byPassword()
    {
        QWidget window;
        OpenPaiDialog dialog(OpenPaiEntry{u"lab"_s, u"https://pai.lan"_s, u"ada"_s, {}, {}, false}, &window);
        QSignalSpy saved(&dialog, &OpenPaiDialog::saveRequested);
        auto *way = part<QComboBox>(&dialog, "openPaiWay");
        auto *field = part<QLineEdit>(&dialog, "openPaiToken");
        auto *save = part<QPushButton>(&dialog, "openPaiSave");
        const auto help = [&dialog] { return part<QLabel>(&dialog, "openPaiTokenHelp")->text(); };
        QVERIFY(save->isEnabled());
        QVERIFY2(help().contains(u"page of your profile"_s), qPrintable(help()));
        field->setText(u"a-token"_s);
        way->setCurrentIndex(1);
        QVERIFY(field->text().isEmpty() && field->placeholderText().isEmpty());
        QCOMPARE(field->accessibleName(), u"Password"_s);
        QCOMPARE(field->echoMode(), QLineEdit::Password);
        QVERIFY2(help().contains(u"the password is not kept"_s), qPrintable(help()));
        QVERIFY(!save->isEnabled());
        field->setText(u" two words "_s);
        save->click();
        QCOMPARE(saved.size(), 1);
        QCOMPARE(saved.first().first().value<OpenPaiEntry>(),
            (OpenPaiEntry{u"lab"_s, u"https://pai.lan"_s, u"ada"_s, {}, {}, false, u" two words "_s}));
        way->setCurrentIndex(0);
        QVERIFY(field->text().isEmpty());
        QCOMPARE(field->placeholderText(), u"unchanged"_s);
    }

    void whatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("a name that is taken")
            << QByteArray("openPaiName") << u"lab"_s << QByteArray("openPaiNameError");
        QTest::newRow("a name with a blank") << QByteArray("openPaiName") << u"a b"_s << QByteArray("openPaiNameError");
        QTest::newRow("no TLS") << QByteArray("openPaiAddress") << u"http://pai.example.org"_s
                                << QByteArray("openPaiAddressError");
        QTest::newRow("a user with a blank") << QByteArray("openPaiUser") << u"a b"_s << QByteArray("openPaiUserError");
    }
    void whatIsWrong()
    {
        QFETCH(QByteArray, field);
        QFETCH(QString, text);
        QFETCH(QByteArray, error);
        QWidget window;
        OpenPaiDialog dialog(QStringList{u"lab"_s}, &window);
        for (const auto &[name, good] : {std::pair("openPaiName", u"far"_s), std::pair("openPaiAddress", u"pai.org"_s),
                 std::pair("openPaiUser", u"ada"_s), std::pair("openPaiToken", u"t"_s)}) {
            part<QLineEdit>(&dialog, name)->setText(good);
        }
        auto *save = part<QPushButton>(&dialog, "openPaiSave");
        QVERIFY(save->isEnabled());
        part<QLineEdit>(&dialog, field.constData())->setText(text);
        QVERIFY(!save->isEnabled());
        QVERIFY(!part<QLabel>(&dialog, error.constData())->text().isEmpty());
    }

    void oneThatIsThere()
    {
        QWidget window;
        OpenPaiDialog dialog(OpenPaiEntry{u"lab"_s, u"http://pai.lan"_s, u"ada"_s, u"vision"_s, {}, true}, &window);
        QVERIFY(!part<QLineEdit>(&dialog, "openPaiName")->isEnabled());
        QSignalSpy saved(&dialog, &OpenPaiDialog::saveRequested);
        part<QPushButton>(&dialog, "openPaiSave")->click();
        QCOMPARE(saved.size(), 1);
        QCOMPARE(saved.first().first().value<OpenPaiEntry>(),
            (OpenPaiEntry{u"lab"_s, u"http://pai.lan"_s, u"ada"_s, u"vision"_s, {}, true}));
    }

    // Which the keyring is asked for: also one that was removed and still has jobs.
    void tokensAreWanted_data()
    {
        QTest::addColumn<QString>("error");
        QTest::addColumn<bool>("isWanted");
        QTest::newRow("it answers") << QString() << false;
        QTest::newRow("silence") << u"openpai.silent"_s << false;
        QTest::newRow("one that does not count") << u"openpai.unauthorized"_s << false;
        QTest::newRow("none") << u"openpai.no-token"_s << true;
        QTest::newRow("none for what was removed") << u"openpai.no-token-removed"_s << true;
    }
    void tokensAreWanted()
    {
        QFETCH(QString, error);
        ClusterInfo cluster;
        cluster.error = error;
        QTEST(wantsToken(cluster), "isWanted");
    }

    void isShown()
    {
        ClusterView view;
        ShownCluster shown;
        shown.info.id = u"openpai:lab"_s;
        shown.info.kind = u"openpai"_s;
        shown.info.name = u"lab"_s;
        shown.info.options = u"https://pai.example.org"_s;
        view.resize(800, 600);
        view.setCluster(shown);
        view.show();
        QCOMPARE(part<QLabel>(&view, "clusterOptionsShown")->text(), u"https://pai.example.org"_s);
        QVERIFY(!part<QLabel>(&view, "clusterFolderShown")->isVisible());
        QCOMPARE(part<QLabel>(&view, "clusterState")->text(), u"no job"_s);
        shown.info.error = u"openpai.no-token"_s;
        shown.info.errorArgs = {{u"target"_s, u"openpai:lab"_s}};
        view.setCluster(shown);
        QCOMPARE(part<QLabel>(&view, "clusterState")->text(), u"needs your token"_s);
        QVERIFY(part<QLabel>(&view, "clusterTrouble")->text().contains(u"openpai:lab needs your token"_s));
        shown.info.kind = u"slurm"_s;
        view.setCluster(shown);
        QVERIFY(part<QLabel>(&view, "clusterFolderShown")->isVisible());
    }
};

TRAINYARD_GUI_TEST(TstOpenPaiDialog)
#include "tst_openpaidialog.moc"
