// SPDX-License-Identifier: GPL-3.0-or-later
// A file manager as small as can be, a program of its own so that drags between it and the window are real ones. Files
// dropped on it are copied into its folder; its files can be dragged out. It says on standard output what happens, one
// line each, so that a script can wait for it.
#include <QApplication>
#include <QDir>
#include <QDrag>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QMouseEvent>
#include <QUrl>
#include <QWidget>

#include <cstdio>

namespace
{

void say(const QString &line)
{
    std::puts(qPrintable(line));
    std::fflush(stdout);
}

class FileManager final : public QWidget
{
public:
    explicit FileManager(const QString &folder) : m_folder(folder)
    {
        setAcceptDrops(true);
        setWindowTitle(QStringLiteral("filemanager"));
        resize(300, 300);
    }

protected:
    void showEvent(QShowEvent *) override { say(QStringLiteral("shown")); }
    void dragEnterEvent(QDragEnterEvent *event) override
    {
        if (event->mimeData()->hasUrls() && event->source() != this) {
            event->acceptProposedAction();
        }
    }
    void dragMoveEvent(QDragMoveEvent *event) override
    {
        event->acceptProposedAction();
        say(QStringLiteral("over"));
    }
    void dropEvent(QDropEvent *event) override
    {
        const QList<QUrl> urls = event->mimeData()->urls();
        for (const QUrl &url : urls) {
            const QString name = QFileInfo(url.toLocalFile()).fileName();
            const bool copied = QFile::copy(url.toLocalFile(), m_folder.filePath(name));
            say((copied ? QStringLiteral("copied ") : QStringLiteral("failed ")) + name);
        }
        event->acceptProposedAction();
    }
    void mousePressEvent(QMouseEvent *event) override { m_pressed = event->pos(); }
    void mouseMoveEvent(QMouseEvent *event) override
    {
        if (!event->buttons().testFlag(Qt::LeftButton)
            || (event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance()) {
            return;
        }
        QList<QUrl> urls;
        const QStringList files = m_folder.entryList(QDir::Files, QDir::Name);
        for (const QString &name : files) {
            urls.append(QUrl::fromLocalFile(m_folder.filePath(name)));
        }
        auto *mime = new QMimeData;
        mime->setUrls(urls);
        auto *drag = new QDrag(this);
        drag->setMimeData(mime);
        connect(drag, &QDrag::actionChanged, this,
            [](Qt::DropAction action) { say(QStringLiteral("action %1").arg(int(action))); });
        say(QStringLiteral("dragging %1").arg(urls.size()));
        const Qt::DropAction done = drag->exec(Qt::CopyAction);
        say(QStringLiteral("dragged %1").arg(int(done)));
    }

private:
    QDir m_folder;
    QPoint m_pressed;
};

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    if (argc != 2) {
        return 2;
    }
    FileManager window(QString::fromLocal8Bit(argv[1]));
    window.show();
    return QApplication::exec();
}
