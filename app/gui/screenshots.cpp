// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/screenshots.h"

#include "app/gui/mainwindow.h"
#include "app/gui/workbench/tabarea.h"
#include "widgets/common/stylepage.h"
#include "widgets/form/designerpage.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QTimer>

namespace trainyard
{
namespace
{
constexpr int pictureSettleMs = 700; // workers parse and index meanwhile

void settle()
{
    QEventLoop loop;
    QTimer::singleShot(pictureSettleMs, &loop, &QEventLoop::quit);
    loop.exec();
}
} // namespace

int takeScreenshots(const QString &folder, const QStringList &files)
{
    if (!QDir().mkpath(folder)) {
        return 1;
    }
    bool good = true;
    const auto shoot = [&](QWidget *widget, const QString &name) {
        settle();
        good = widget->grab().save(QDir(folder).filePath(name + QStringLiteral(".png"))) && good;
    };
    {
        MainWindow window({false, false});
        window.resize(1440, 900);
        window.show();
        shoot(&window, QStringLiteral("welcome"));
        for (const QString &file : files) {
            if (window.openFile(file)) {
                shoot(&window, QStringLiteral("designer-") + QFileInfo(file).baseName());
            }
        }
    }
    StylePage components;
    components.show();
    shoot(&components, QStringLiteral("components"));
    return good ? 0 : 1;
}

} // namespace trainyard
