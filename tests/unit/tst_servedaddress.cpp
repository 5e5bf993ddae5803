// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/servedaddress.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Where programs say that they serve, and lines that only look like it.
class TstServedAddress : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void taken_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("address"); // on this computer, at port 7
        QTest::addColumn<int>("port");
        const auto row = [](const char *name, const char *line, const char *program, const char *address, int port) {
            QTest::newRow(name) << QString::fromUtf8(line) << QString::fromLatin1(program)
                                << QString::fromLatin1(address) << port;
        };
        row("TensorBoard", "TensorBoard 2.16.2 at http://gpu-node3:6006/ (Press CTRL+C to quit)", "TensorBoard",
            "http://127.0.0.1:7/", 6006);
        row("TensorBoard with a path", "TensorBoard 2.15.0a20240101 at http://localhost:6007/board/", "TensorBoard",
            "http://127.0.0.1:7/board/", 6007);
        row("Jupyter", "[I 2026-11-20 10:11:12.345 ServerApp] http://gpu7:8888/lab?token=0f1e2d3c4b5a", "Jupyter",
            "http://127.0.0.1:7/lab?token=0f1e2d3c4b5a", 8888);
        row("Jupyter, second line",
            "[I 2026-11-20 10:11:12.345 ServerApp]     or http://127.0.0.1:8888/lab?token=0f1e2d3c4b5a", "Jupyter",
            "http://127.0.0.1:7/lab?token=0f1e2d3c4b5a", 8888);
        row("Jupyter, last words", "     or http://127.0.0.1:8889/tree?token=ab12", "Jupyter",
            "http://127.0.0.1:7/tree?token=ab12", 8889);
        row("Jupyter with TLS", "[I ServerApp] https://node:8443/lab", "Jupyter", "https://127.0.0.1:7/lab", 8443);
        row("vLLM", "INFO 11-20 10:11:12 [api_server.py:1530] Starting vLLM API server 0 on http://0.0.0.0:8000",
            "vLLM", "http://127.0.0.1:7/", 8000);
        row("Uvicorn", "INFO:     Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)", "Uvicorn",
            "http://127.0.0.1:7/", 8000);
        row("Uvicorn in colours",
            "\x1b[32mINFO\x1b[0m:     Uvicorn running on \x1b[1mhttp://127.0.0.1:8001\x1b[0m (Press CTRL+C to quit)",
            "Uvicorn", "http://127.0.0.1:7/", 8001);
        row("Gradio", "* Running on local URL:  http://127.0.0.1:7860", "Gradio", "http://127.0.0.1:7/", 7860);
        row("Streamlit", "  Local URL: http://localhost:8501", "Streamlit", "http://127.0.0.1:7/", 8501);
        row("Streamlit at the address of the host", "  Network URL: http://10.1.2.3:8501", "Streamlit",
            "http://127.0.0.1:7/", 8501);
        row("Ray",
            "2026-11-20 INFO worker.py:1752 -- Started a local Ray instance. View the dashboard at "
            "\x1b[1m\x1b[32mhttp://127.0.0.1:8265 \x1b[39m\x1b[22m",
            "Ray", "http://127.0.0.1:7/", 8265);
        row("Ray without a scheme", "INFO -- Started a local Ray instance. View the dashboard at 127.0.0.1:8266", "Ray",
            "http://127.0.0.1:7/", 8266);
        row("MLflow", "mlflow server: running on http://127.0.0.1:5000", "MLflow", "http://127.0.0.1:7/", 5000);
        row("Gunicorn", "[2026-11-20 10:11:12 +0000] [123] [INFO] Listening at: http://127.0.0.1:5000 (123)",
            "Gunicorn", "http://127.0.0.1:7/", 5000);
        row("Flask", " * Running on http://127.0.0.1:5001", "Flask", "http://127.0.0.1:7/", 5001);
        row("Flask, all addresses", " * Running on http://10.1.2.3:5001", "Flask", "http://127.0.0.1:7/", 5001);
        row("http.server", "Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...", "", "http://127.0.0.1:7/",
            8000);
        row("http.server, version 6", "Serving HTTP on :: port 8000 (http://[::]:8000/) ...", "", "http://127.0.0.1:7/",
            8000);
        row("Vite", "  \xe2\x9e\x9c  Local:   http://localhost:5173/", "", "http://127.0.0.1:7/", 5173);
        row("bare", "http://localhost:9999/app.", "", "http://127.0.0.1:7/app", 9999);
        row("its own name", "Server is ready at http://GPU1:8080/ui?x=1, enjoy", "", "http://127.0.0.1:7/ui?x=1", 8080);
        row("its own name with a domain", "listening on http://gpu1.lab.org:8080", "", "http://127.0.0.1:7/", 8080);
        // What a shell or a terminal would take for its own is no part of an address.
        row("a second command", "Serving at http://localhost:8000/lab;reboot", "", "http://127.0.0.1:7/lab", 8000);
        row("a substitution", "Serving at http://localhost:8000/$(reboot)", "", "http://127.0.0.1:7/", 8000);
        row("an escape", "Serving at http://localhost:8000/a\x1b[31mb\x1b", "", "http://127.0.0.1:7/ab", 8000);
        row("a mark of direction", "Serving at http://localhost:8000/a\xe2\x80\xaegpj", "", "http://127.0.0.1:7/a",
            8000);
        row("code-server", "[2026-11-20T10:11:12.345Z] info  HTTP server listening on http://127.0.0.1:8080/", "",
            "http://127.0.0.1:7/", 8080);
    }
    void taken()
    {
        QFETCH(QString, line);
        const std::optional<ServedAddress> served = servedAddress(line, {u"gpu1"_s, u"10.1.2.3"_s});
        QVERIFY(served);
        QTEST(served->program, "program");
        QTEST(served->port, "port");
        QTEST(addressOf(*served, 7), "address");
    }

    void notTaken_data()
    {
        QTest::addColumn<QString>("line");
        const auto row = [](const char *line) { QTest::newRow(line) << QString::fromUtf8(line); };
        row("");
        row("loss: 0.5 at 12:30:05");
        row("Downloading https://download.pytorch.org:443/whl/torch.whl");
        row("Downloading data from http://localhost:8081/train.tar");
        row("http_proxy=http://127.0.0.1:3128");
        row("Using proxy http://localhost:8118");
        row("HTTPS_PROXY: http://0.0.0.0:3128");
        row("Connecting to http://localhost:9000/minio");
        row("Connected to the server running at http://localhost:9000");
        row("Failed to open http://localhost:11434/api/tags: connection refused");
        row("requests.exceptions.ConnectionError: HTTPConnectionPool(host='localhost', port=8000): Max retries");
        row("INFO: GET http://127.0.0.1:8000/v1/models 200");
        row("curl http://localhost:8000/health");
        row("Looking in indexes: http://localhost:3141/root/pypi");
        row("MLflow tracking uri: http://127.0.0.1:5000");
        row("OTLP exporter endpoint http://localhost:4317");
        row("openai.base_url = http://localhost:8000/v1");
        row("Waiting for http://127.0.0.1:8000/ to come up");
        row("View run at http://10.9.9.9:5000/#/experiments/1");
        row("Server is ready at http://other-host:8080/");
        row("* Running on public URL: https://0a1b2c3d.gradio.live");
        row("  External URL: http://203.0.113.7:8501");
        row("Serving at http://localhost/");
        row("Serving at http://localhost:0/");
        row("Serving at http://localhost:70000/");
        row("Serving at http://localhost:8000.example.org/");
        row("Serving at http://user:8000@example.org/");
        row("Serving at http://localhost.evil.org:8000/");
        row("Serving at ftp://localhost:2121/");
        row("tcp://127.0.0.1:29500 is listening");
        row("master address 127.0.0.1:29500");
        row("see http://10.1.2.33:8501 for the dashboard"); // begins like the host's address
        // A line of so many addresses is none that a server writes.
        QTest::newRow("the ninth") << u"http://other:1/ "_s.repeated(8) + u"TensorBoard 2.1 at http://gpu1:6006/"_s;
    }
    void notTaken()
    {
        QFETCH(QString, line);
        const std::optional<ServedAddress> served = servedAddress(line, {u"gpu1"_s, u"10.1.2.3"_s});
        QVERIFY2(!served, served ? qPrintable(addressOf(*served, served->port)) : "");
    }

    void ofManyLines()
    {
        const QByteArray output = "step 1\rstep 2\nINFO: Starting vLLM API server on http://0.0.0.0:8000\n"
                                  "INFO:     Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)\n"
                                  "[I ServerApp] http://gpu1:8888/lab?token=old\n"
                                  "Jupyter Server is running at http://localhost:8888/\n"
                                  "[I ServerApp] http://gpu1:8888/lab?token=new\n"
                                  "TensorBoard 2.1 at http://gpu1:6006/\n"
            + QByteArray(100000, 'x') + " http://localhost:1/\n\xff\xfe http://[\nServing at http://localhost:7";
        const QList<ServedAddress> served = servedAddresses(output, {u"gpu1"_s});
        QStringList told;
        for (const ServedAddress &one : served) {
            told.append(one.program + u' ' + addressOf(one, one.port));
        }
        QCOMPARE(told,
            (QStringList{u" http://127.0.0.1:7/"_s, u"TensorBoard http://127.0.0.1:6006/"_s,
                u"vLLM http://127.0.0.1:8000/"_s, u"Jupyter http://127.0.0.1:8888/lab?token=new"_s}));
    }

    // Of a log of any size, what stands at its beginning and at its end.
    void ofALog()
    {
        QTemporaryDir folder;
        QVERIFY(servedAddressesIn(folder.path()).isEmpty());
        QVERIFY(servedAddressesIn(folder.filePath(u"none"_s)).isEmpty());
        QFile log(folder.filePath(u"output.log"_s));
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.write("Serving at http://localhost:1001/\n" + QByteArray(5 << 20, '.')
            + "\nServing at http://localhost:1002/\n" + QByteArray(5 << 20, '.')
            + "\nServing at http://localhost:1003/\n");
        log.close();
        QList<int> ports;
        const QList<ServedAddress> served = servedAddressesIn(folder.path());
        for (const ServedAddress &one : served) {
            ports.append(one.port);
        }
        QCOMPARE(ports, (QList<int>{1001, 1003}));
    }

    void ofPlugins()
    {
        const QList<ServiceInfo> services{
            {u"tensorboard"_s, u"http://10.1.2.3:10007/"_s, {}, u"w"_s, u"far"_s, 0},
            {u"tensorboard"_s, {}, u"missing"_s, u"w"_s, u"far"_s, 0},
            {u"board"_s, u"http://10.1.2.3:10008/"_s, {}, u"w"_s, u"far"_s, 1},
        };
        const QList<ServedAddress> served = servedByPlugins(services, u"w"_s, 0);
        QCOMPARE(served.size(), 1);
        QCOMPARE(served.first().program, u"TensorBoard"_s);
        QCOMPARE(addressOf(served.first(), 9), u"http://127.0.0.1:9/"_s);
        QCOMPARE(servedByPlugins(services, u"w"_s, 1).value(0).port, 10008);
        QVERIFY(!servedByPlugin(services.at(1)));
    }

    void offers()
    {
        api::TaskPort http;
        http.role = u"w"_s;
        http.host = u"far"_s;
        http.label = u"http"_s;
        http.port = 15000;
        api::TaskPort forwarded = http;
        forwarded.label.clear();
        forwarded.port = 9000;
        forwarded.localPort = 9001;
        api::TaskPort other = http;
        other.index = 1;
        ServedAddress board;
        board.program = u"TensorBoard"_s;
        board.port = 15000;
        ServedAddress notebook;
        notebook.program = u"Jupyter"_s;
        notebook.port = 8888;
        notebook.path = u"/lab?token=x"_s;
        api::TaskPort task;
        task.role = u"w"_s;
        task.host = u"far"_s;
        const QList<OfferedPort> ports = offeredPorts({http, forwarded, other}, {board, notebook}, task);
        QCOMPARE(ports.size(), 3);
        QCOMPARE(ports.at(0).name(), u"Jupyter"_s);
        QCOMPARE(ports.at(0).port.host, u"far"_s);
        QCOMPARE(ports.at(0).address(), QString());
        QCOMPARE(ports.at(1).name(), u"TensorBoard"_s);
        QCOMPARE(ports.at(1).port.label, u"http"_s);
        QCOMPARE(ports.at(1).address(), QString());
        QCOMPARE(ports.at(2).name(), QString());
        QCOMPARE(ports.at(2).address(), u"http://127.0.0.1:9001/"_s);
        // Forwarded or not, each keeps its place.
        api::TaskPort also = forwarded;
        also.port = notebook.port;
        api::TaskPort ssh = http;
        ssh.label = u"ssh"_s;
        ssh.port = 14000;
        QStringList order;
        for (const OfferedPort &one : offeredPorts({http, ssh, also}, {board, notebook}, task)) {
            order.append(one.name());
        }
        QCOMPARE(order, (QStringList{u"Jupyter"_s, u"TensorBoard"_s, u"ssh"_s}));
        // On this computer there is nothing to forward.
        task.isHere = true;
        QCOMPARE(offeredPorts({}, {notebook}, task).value(0).address(), u"http://localhost:8888/lab?token=x"_s);
    }
};

TRAINYARD_TEST(TstServedAddress)
#include "tst_servedaddress.moc"
