// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/savednotice.h"

#include "widgets/common/infobar.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QPushButton>
#include <QUrl>

namespace trainyard
{
namespace
{
constexpr std::chrono::seconds leaves{20}; // its button is used at once or not at all
struct SavedNoticeTexts {
    Q_DECLARE_TR_FUNCTIONS(SavedNotice)
};
} // namespace

void showInFolder(InfoBar *bar, const QString &path)
{
    const QString folder = QFileInfo(path).absolutePath();
    QString problem;
    if (!QFileInfo(folder).isDir()) {
        problem = SavedNoticeTexts::tr("%1 no longer exists.");
    } else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder))) {
        problem = SavedNoticeTexts::tr("No program here shows the folder %1.");
    }
    if (!problem.isEmpty()) {
        bar->show(InfoBar::Kind::Failed, problem.arg(folder).toHtmlEscaped());
        bar->setClosable(true);
    }
}

void saySaved(InfoBar *bar, const QString &sentence, const QString &path)
{
    bar->show(InfoBar::Kind::Succeeded, sentence.toHtmlEscaped());
    QPushButton *button = bar->addAction(SavedNoticeTexts::tr("Show in folder"));
    button->setObjectName(QStringLiteral("showInFolder"));
    QObject::connect(button, &QPushButton::clicked, bar, [bar, path] { showInFolder(bar, path); });
    bar->setClosable(true);
    bar->goSoon(leaves, InfoBar::Actions::Go);
}

void saySaved(InfoBar *bar, const QString &path)
{
    saySaved(bar, SavedNoticeTexts::tr("%1 is saved.").arg(path), path);
}

} // namespace trainyard
