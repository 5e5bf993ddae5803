// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/importer.h"
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/form/designerpage.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QHash>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QProcess>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace trainyard;

namespace
{
// A web server of this test's own: what stands for a path, byte for byte; a path that is not there gets no answer.
class WebServer : public QTcpServer
{
public:
    WebServer()
    {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this, [this] {
            QTcpSocket *socket = nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, socket, [this, socket] {
                const QByteArray request = socket->readAll();
                asked.append(request);
                const QByteArray path = request.split(' ').value(1);
                if (answers.contains(path)) {
                    socket->write(answers.value(path));
                    if (!path.startsWith("/slow")) {
                        socket->disconnectFromHost();
                    }
                }
            });
        });
    }
    QUrl url(const QString &path) const
    {
        return QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(serverPort()).arg(path));
    }
    static QByteArray ok(const QByteArray &body, const QByteArray &type = "text/plain")
    {
        return "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + QByteArray::number(body.size())
            + "\r\n\r\n" + body;
    }
    QHash<QByteArray, QByteArray> answers;
    QByteArrayList asked;
};

const QByteArray secretJob = sampleJob + "secrets:\n  token: hush-hush-hush\n";
} // namespace

class TstExchange : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void tellsWhatCame_data();
    void tellsWhatCame();
    void droppedAddressIsFetched();
    void severalAtOnce();
    void fetchingFails_data();
    void fetchingFails();
    void fetchingCanBeCancelled();
    void nothingIsFetchedUnasked();
    void newFromClipboard();
    void pastedTextIsNotLost();
    void copiesAreMasked();
    void runCommandRuns();
    void savesTheUsersBytes();

private:
    WindowFixture m_fixture;
};

void TstExchange::initTestCase()
{
    QVERIFY(m_fixture.makeFolders());
    for (const char *name : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
        qunsetenv(name); // the server is here
    }
}

void TstExchange::tellsWhatCame_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("files");
    QTest::addColumn<int>("urls");
    QTest::addColumn<bool>("job");
    const auto row = [](const char *text, int files, int urls, bool job) {
        QTest::newRow(text) << QString::fromLatin1(text) << files << urls << job;
    };
    row("name: job\n", 0, 0, true);
    row("https://example.com/a.yaml", 0, 1, false);
    row("  http://example.com/a.yaml\n", 0, 1, false);
    row("file:///tmp/a.yaml", 1, 0, false);
    row("ftp://example.com/a.yaml", 0, 0, true); // no address that is fetched: a text
    row("javascript:alert(1)", 0, 0, true);
    row("see https://example.com/a.yaml", 0, 0, true);
    row("no job at all", 0, 0, false);
    row("#!/bin/bash\n#SBATCH -n 2\nsrun ./a\n", 0, 0, true);
    row("", 0, 0, false);
}

void TstExchange::tellsWhatCame()
{
    QFETCH(QString, text);
    QMimeData mime;
    mime.setText(text);
    const Importer::Content content = Importer::contentOf(&mime);
    QTEST(int(content.files.size()), "files");
    QTEST(int(content.urls.size()), "urls");
    QTEST(!content.text.isEmpty(), "job");
    QCOMPARE(Importer::isAccepted(&mime), !content.isEmpty());
}

void TstExchange::droppedAddressIsFetched()
{
    WebServer server;
    server.answers.insert("/jobs/job.yaml?token=x", WebServer::ok(sampleJob));
    server.answers.insert(
        "/elsewhere", "HTTP/1.1 302 Found\r\nLocation: /jobs/job.yaml?token=x\r\nContent-Length: 0\r\n\r\n");
    const auto window = m_fixture.makeWindow();
    window->show();
    QMimeData mime;
    mime.setUrls({server.url(QStringLiteral("/jobs/job.yaml?token=x"))});
    QVERIFY(WindowFixture::drop(window.get(), mime));
    QVERIFY(window->importer()->isBusy());
    QVERIFY(window->bar()->isVisible());
    QVERIFY(!window->bar()->text().contains(QStringLiteral("token"))); // may be a key of somebody's
    QTRY_VERIFY(window->currentDesigner());
    QCOMPARE(window->currentDesigner()->bytes(), sampleJob);
    QCOMPARE(window->currentDesigner()->displayName(), QStringLiteral("job.yaml"));
    QVERIFY(window->currentDesigner()->filePath().isEmpty());
    QTRY_VERIFY(!window->importer()->isBusy());
    QVERIFY(!window->bar()->isVisible());
    // As a text, and over a redirection.
    QMimeData text;
    text.setText(server.url(QStringLiteral("/elsewhere")).toString());
    const qsizetype pages = window->tabs()->pages().size();
    QVERIFY(WindowFixture::drop(window.get(), text));
    QTRY_COMPARE(window->tabs()->pages().size(), pages + 1);
    QCOMPARE(window->currentDesigner()->bytes(), sampleJob);
}

void TstExchange::severalAtOnce()
{
    WebServer server;
    server.answers.insert("/a.yaml", WebServer::ok(sampleJob));
    server.answers.insert("/b.yml", WebServer::ok(sampleJob + "# b\n"));
    const auto window = m_fixture.makeWindow();
    window->show();
    QMimeData mime;
    mime.setUrls({server.url(QStringLiteral("/a.yaml")), server.url(QStringLiteral("/b.yml")),
        QUrl::fromLocalFile(m_fixture.write(QStringLiteral("c.yaml"), sampleJob + "# c\n"))});
    QVERIFY(WindowFixture::drop(window.get(), mime));
    QTRY_COMPARE(window->tabs()->pages().size(), 4); // with the welcome page
    QSet<QString> names;
    const QList<QWidget *> pages = window->tabs()->pages();
    for (QWidget *page : pages) {
        if (auto *designer = qobject_cast<DesignerPage *>(page)) {
            names.insert(designer->displayName());
        }
    }
    QCOMPARE(names, (QSet<QString>{QStringLiteral("a.yaml"), QStringLiteral("b.yml"), QStringLiteral("c.yaml")}));
}

void TstExchange::fetchingFails_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, const QByteArray &answer, const char *code) {
        QTest::newRow(name) << answer << QString::fromLatin1(code);
    };
    row("not found", "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone", "import.status");
    row("web page", WebServer::ok("<!DOCTYPE html><p>a: b", "text/html; charset=utf-8"), "import.web-page");
    row("web page that says it is text", WebServer::ok("\n <HTML>a: b"), "import.web-page");
    row("too large, as announced", "HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\na: b\n", "import.too-large");
    row("too large, unannounced", "HTTP/1.1 200 OK\r\n\r\n" + QByteArray(9'000'000, 'x'), "import.too-large");
    row("no answer", {}, "import.timeout");
    row("broken off", "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n" + sampleJob, "import.incomplete");
    row("no HTTP", "whatever\r\n\r\n", "import.unreachable");
}

void TstExchange::fetchingFails()
{
    QFETCH(QByteArray, answer);
    QFETCH(QString, code);
    WebServer server;
    if (!answer.isEmpty()) {
        server.answers.insert("/x", answer);
    }
    Importer importer;
    importer.setTimeout(code == QLatin1String("import.timeout") ? 150 : 10'000);
    QSignalSpy failed(&importer, &Importer::failed);
    QSignalSpy fetched(&importer, &Importer::fetched);
    QSignalSpy finished(&importer, &Importer::finished);
    importer.fetch({server.url(QStringLiteral("/x"))});
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 10'000);
    QCOMPARE(fetched.count(), 0);
    QCOMPARE(failed.count(), 1);
    QCOMPARE(failed.at(0).at(1).value<Error>().code, code);
    QVERIFY(!importer.isBusy());
}

void TstExchange::fetchingCanBeCancelled()
{
    WebServer server;
    server.answers.insert("/slow.yaml", "HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\na: b\n");
    const auto window = m_fixture.makeWindow();
    window->show();
    QMimeData mime;
    mime.setUrls({server.url(QStringLiteral("/slow.yaml")), server.url(QStringLiteral("/never"))});
    QVERIFY(WindowFixture::drop(window.get(), mime));
    QTRY_VERIFY(window->bar()->text().contains(QStringLiteral("of"))); // some of it is here
    auto *cancel = window->bar()->findChild<QPushButton *>(QStringLiteral("importCancel"));
    QVERIFY(cancel);
    cancel->click();
    QVERIFY(!window->importer()->isBusy());
    QVERIFY(!window->bar()->isVisible());
    QVERIFY(!window->currentDesigner());
    QCOMPARE(server.asked.size(), 1);
}

void TstExchange::nothingIsFetchedUnasked()
{
    WebServer server;
    const QByteArray address = server.url(QStringLiteral("/image")).toString().toUtf8();
    const auto window = m_fixture.makeWindow();
    window->show();
    QByteArray job = sampleJob;
    job.replace("uri: x", QByteArray("uri: \"" + address + '"'));
    QApplication::clipboard()->setText(QString::fromUtf8(address));
    window->newDocument(job, {});
    QTRY_VERIFY(window->currentDesigner()->canRun());
    QCoreApplication::processEvents();
    QVERIFY(server.asked.isEmpty());
}

void TstExchange::newFromClipboard()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    QApplication::clipboard()->setText(QString::fromUtf8(sampleJob));
    window->action("newFromClipboard")->trigger();
    QVERIFY(window->currentDesigner());
    QCOMPARE(window->currentDesigner()->bytes(), sampleJob);
    auto *files = new QMimeData;
    files->setUrls({QUrl::fromLocalFile(m_fixture.write(QStringLiteral("clip.yaml"), sampleJob))});
    QApplication::clipboard()->setMimeData(files);
    window->action("newFromClipboard")->trigger();
    QCOMPARE(window->currentDesigner()->displayName(), QStringLiteral("clip.yaml"));
    const qsizetype pages = window->tabs()->pages().size();
    QApplication::clipboard()->clear();
    window->action("newFromClipboard")->trigger();
    QCOMPARE(window->tabs()->pages().size(), pages);
    QVERIFY(window->bar()->isVisible());
}

// A pasted text is in no file: it is asked about like one that was typed, and a closed tab comes back with it.
void TstExchange::pastedTextIsNotLost()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    QVERIFY(!window->action("reopenClosed")->isEnabled());
    QApplication::clipboard()->setText(QString::fromUtf8(sampleJob));
    window->action("newFromClipboard")->trigger();
    QVERIFY(window->currentDesigner() && window->currentDesigner()->isModified());
    const QPointer<DesignerPage> pasted = window->currentDesigner();
    const QString name = pasted->displayName();
    window->action("close")->trigger();
    auto *box = window->findChild<QMessageBox *>();
    QVERIFY(box && box->isVisible());
    box->button(QMessageBox::Discard)->click();
    QTRY_VERIFY(!pasted);
    QVERIFY(window->action("reopenClosed")->isEnabled());
    window->action("reopenClosed")->trigger();
    QVERIFY(window->currentDesigner());
    QCOMPARE(window->currentDesigner()->bytes(), sampleJob);
    QCOMPARE(window->currentDesigner()->displayName(), name);
    QVERIFY(window->currentDesigner()->isModified());
    QVERIFY(!window->action("reopenClosed")->isEnabled());
    // A file that was closed comes back as well.
    window->openFile(m_fixture.write(QStringLiteral("reopened.yaml"), sampleJob));
    window->action("close")->trigger();
    window->action("reopenClosed")->trigger();
    QVERIFY(window->currentDesigner());
    QCOMPARE(window->currentDesigner()->displayName(), QStringLiteral("reopened.yaml"));
    QVERIFY(!window->currentDesigner()->isModified());
}

void TstExchange::copiesAreMasked()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    QVERIFY(!window->action("copyYaml")->isEnabled()); // the welcome page has none
    window->newDocument(secretJob, {});
    window->action("copyYaml")->trigger();
    const QMimeData *mime = QApplication::clipboard()->mimeData();
    QVERIFY(mime->text().contains(QStringLiteral("token: \"******\"")));
    QVERIFY(!mime->text().contains(QStringLiteral("hush")));
    QVERIFY(!mime->data(QStringLiteral("application/yaml")).contains("hush"));
    window->action("copyRunCommand")->trigger();
    const QString command = QApplication::clipboard()->text();
    QVERIFY(command.startsWith(QStringLiteral("trainyardctl run - --secret token <<'JOB'\n")));
    QVERIFY(!command.contains(QStringLiteral("hush")));
    // In so many words, it is the user's.
    window->action("copyYamlWithSecrets")->trigger();
    QCOMPARE(QApplication::clipboard()->text().toUtf8(), secretJob);
}

// The command is one that bash takes, and what reaches trainyardctl is the job.
void TstExchange::runCommandRuns()
{
    m_fixture.write(QStringLiteral("bin/trainyardctl"), "#!/bin/sh\nfor a; do echo \"[$a]\"; done\ncat\n");
    QFile::setPermissions(m_fixture.path(QStringLiteral("bin/trainyardctl")),
        QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    const auto window = m_fixture.makeWindow();
    window->show();
    const auto ran = [&] {
        window->action("copyRunCommand")->trigger();
        QProcess bash;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(
            QStringLiteral("PATH"), m_fixture.path(QStringLiteral("bin")) + QStringLiteral(":/usr/bin:/bin"));
        bash.setProcessEnvironment(environment);
        bash.setStandardInputFile(QProcess::nullDevice());
        bash.start(QStringLiteral("bash"), {QStringLiteral("-c"), QApplication::clipboard()->text()});
        return bash.waitForFinished(10'000) ? bash.readAllStandardOutput() : QByteArray("did not end");
    };
    window->newDocument(sampleJob, {});
    QCOMPARE(ran(), "[run]\n[-]\n" + sampleJob);
    const QString path = m_fixture.write(QStringLiteral("it's $HOME/job file.yaml"), sampleJob);
    QVERIFY(window->openFile(path));
    QCOMPARE(ran(), "[run]\n[" + path.toUtf8() + "]\n");
    // Nobody is asked for the value of a secret that stands in the file.
    const QString told = m_fixture.write(QStringLiteral("told.yaml"), secretJob);
    QVERIFY(window->openFile(told));
    QCOMPARE(ran(), "[run]\n[" + told.toUtf8() + "]\n");
    const QString asked
        = m_fixture.write(QStringLiteral("asked.yaml"), QByteArray(secretJob).replace("hush-hush-hush", "\"******\""));
    QVERIFY(window->openFile(asked));
    QCOMPARE(ran(), "[run]\n[" + asked.toUtf8() + "]\n[--secret]\n[token]\n");
}

void TstExchange::savesTheUsersBytes()
{
    const QByteArray bytes = "\xEF\xBB\xBF" + secretJob + "\t# \xFF odd\r\n";
    const auto window = m_fixture.makeWindow();
    window->show();
    DesignerPage *page = window->newDocument(bytes, {});
    const QString path = m_fixture.path(QStringLiteral("saved.yaml"));
    QVERIFY(page->saveAs(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bytes);
}

TRAINYARD_GUI_TEST(TstExchange)
#include "tst_exchange.moc"
