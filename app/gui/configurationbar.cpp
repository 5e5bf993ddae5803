// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/configurationbar.h"

#include "engine/client/configurationfaults.h"
#include "engine/client/configurationwatch.h"
#include "engine/client/ownexitrules.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/texts.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QPushButton>

namespace trainyard
{
namespace
{
constexpr qsizetype mostSaid = 3; // the bar must leave room for the work
}

ConfigurationBar::ConfigurationBar(const QString &configFolder, QWidget *parent)
    : InfoBar(parent), m_folder(configFolder)
{
    setObjectName(QStringLiteral("configurationBar"));
    const auto *watch = new ConfigurationWatch(configFolder, this);
    connect(watch, &ConfigurationWatch::changed, this, &ConfigurationBar::check);
    // Some file systems report no changes; the file is checked again when the user returns from an editor.
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive) {
            check();
        }
    });
    check();
}

void ConfigurationBar::check()
{
    const Result<ExitRules> exitRules = ownExitRules(m_folder);
    if (exitRules) {
        setExitRules(*exitRules);
    }
    const QList<Error> faults = configurationFaults(m_folder, exitRules);
    QStringList sentences;
    QStringList files;
    for (const Error &fault : faults) {
        if (sentences.size() < mostSaid) {
            sentences.append(errorText(fault).toHtmlEscaped());
        }
        const QString file = fault.args.value(QLatin1String("file")).toString();
        if (!files.contains(file)) {
            files.append(file);
        }
    }
    if (faults.size() > mostSaid) {
        sentences.append(tr("%n more mistake(s).", nullptr, int(faults.size() - mostSaid)));
    }
    const QString text = sentences.join(QStringLiteral("<br>"));
    if (text == m_said) {
        return;
    }
    m_said = text;
    if (text.isEmpty()) {
        hide();
        return;
    }
    show(Kind::Waiting, text);
    for (const QString &file : std::as_const(files)) {
        const QString name = QFileInfo(file).fileName();
        QPushButton *open = addAction(tr("Open %1").arg(name));
        open->setObjectName(QStringLiteral("open ") + name);
        connect(open, &QPushButton::clicked, this, [this, file] { Q_EMIT openRequested(file); });
    }
}

} // namespace trainyard
