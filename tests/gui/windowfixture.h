// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/mainwindow.h"
#include "engine/client/engineclient.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

// Folders of this test's own for everything that a window reads and writes, and windows without an engine.
class WindowFixture
{
public:
    bool makeFolders()
    {
        bool good = m_folder.isValid();
        for (const char *name : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"}) {
            const QString path = m_folder.filePath(QString::fromLatin1(name).right(6).toLower());
            good = QDir().mkpath(path) && good;
            QFile::setPermissions(path, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
            qputenv(name, path.toLocal8Bit());
        }
        // A window's jobs must not wait for room on the disk of whoever runs the tests.
        const QString settings = qEnvironmentVariable("XDG_CONFIG_HOME") + QStringLiteral("/trainyard/engine.json");
        return !write(settings, "{\"disk.holdMiB\": 0, \"disk.warnMiB\": 0}").isEmpty() && good;
    }
    static std::unique_ptr<trainyard::MainWindow> makeWindow(bool engine = false) { return makeWindow(false, engine); }
    static std::unique_ptr<trainyard::MainWindow> makeWindow(bool session, bool engine)
    {
        return std::make_unique<trainyard::MainWindow>(trainyard::MainWindow::Options{session, engine});
    }
    static void closeWithoutSaving(trainyard::MainWindow *window)
    {
        window->show();
        if (!window->close()) {
            window->findChild<QMessageBox *>()->button(QMessageBox::Discard)->click();
        }
        QTRY_VERIFY(!window->isVisible());
    }
    // As the windowing system does it: Qt sends a drop only to the widget that took the entering drag.
    static bool drop(QWidget *widget, const QMimeData &data)
    {
        const QPoint at = widget->rect().center();
        QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(widget, &enter);
        QDropEvent dropped(QPointF(at), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(widget, &dropped);
        return enter.isAccepted() && dropped.isAccepted();
    }
    QString path(const QString &name) const { return QDir(m_folder.path()).filePath(name); } // an absolute one as it is
    QString write(const QString &name, const QByteArray &bytes) const
    {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
    }
    // The engine that windows have started, with its jobs.
    static void stopEngine()
    {
        using trainyard::EngineClient;
        EngineClient client;
        client.start(EngineClient::Start::Never);
        const auto settled = [&] {
            return client.status() == EngineClient::Status::Ready || client.status() == EngineClient::Status::Failed
                || client.status() == EngineClient::Status::Offline;
        };
        QTRY_VERIFY(settled());
        if (client.status() == EngineClient::Status::Ready) {
            bool done = false;
            client.call<trainyard::api::StopEngine>(
                {true}, &client, [&](const trainyard::Result<bool> &) { done = true; });
            QTRY_VERIFY_WITH_TIMEOUT(done, 15'000);
            QTRY_VERIFY_WITH_TIMEOUT(client.status() != EngineClient::Status::Ready, 15'000);
        }
    }

private:
    QTemporaryDir m_folder{QStringLiteral("/tmp/tywXXXXXX")};
};

inline const QByteArray sampleJob = "protocolVersion: 2\n"
                                    "name: from_the_window\n"
                                    "type: job\n"
                                    "prerequisites:\n"
                                    "  - {name: img, type: dockerimage, uri: x}\n"
                                    "taskRoles:\n"
                                    "  w:\n"
                                    "    instances: 1\n"
                                    "    dockerImage: img\n"
                                    "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n"
                                    "    commands:\n"
                                    "      - for i in 1 2 3; do echo hello $i; done\n";
