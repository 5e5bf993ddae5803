// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logsaving.h"

#include "widgets/common/infobar.h"
#include "widgets/common/savednotice.h"
#include "widgets/log/logsaver.h"

#include <QPushButton>
#include <QRegularExpression>

namespace trainyard
{

LogSaving::LogSaving(QWidget *pane, InfoBar *bar) : QObject(pane), m_pane(pane), m_bar(bar) { }

void LogSaving::say(const QString &sentence)
{
    m_bar->show(InfoBar::Kind::Info, sentence);
    m_bar->setClosable(!m_saver);
    if (m_saver) {
        offerCancel(); // the log that is being written can still be called off
    }
}

void LogSaving::ask(const QString &title, const LogSourceFactory &source, const LinePrefix &prefix)
{
    static const QRegularExpression odd(QStringLiteral("[/\\s]+")); // no folder: the name of a task has a slash
    const QString suggested = (m_run.isEmpty() ? QString() : m_run + QLatin1Char('-'))
        + QString(title).replace(odd, QStringLiteral("-")) + QStringLiteral(".log");
    const QList<SavedKind> kinds{{tr("Logs"), {QStringLiteral(".log"), QStringLiteral(".txt")}}, {tr("All files"), {}}};
    askWhereToSave(m_pane, tr("Save the log"), suggested, kinds, this,
        [this, source, prefix](const QString &path) { save(source, prefix, path); });
}

void LogSaving::save(const LogSourceFactory &source, const LinePrefix &prefix, const QString &path)
{
    if (!source || m_saver) {
        return;
    }
    m_saver = new LogSaver(source, path, prefix, this);
    Q_EMIT changed();
    const QString name = path.toHtmlEscaped();
    m_bar->show(InfoBar::Kind::Info, tr("Saving %1…").arg(name));
    m_bar->setClosable(false);
    offerCancel();
    connect(m_saver, &LogSaver::progressed, this,
        [this, name](int percent) { m_bar->setText(tr("Saving %1: %2 %").arg(name, QString::number(percent))); });
    connect(m_saver, &LogSaver::finished, this, [this, name, path](const QString &error) {
        end();
        if (error.isEmpty()) {
            saySaved(m_bar, tr("The log is in %1.").arg(path), path);
        } else {
            m_bar->show(InfoBar::Kind::Failed, tr("%1 could not be written: %2").arg(name, error.toHtmlEscaped()));
        }
        m_bar->setClosable(true);
    });
    m_saver->start();
}

void LogSaving::offerCancel()
{
    QPushButton *cancel = m_bar->addAction(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("logSaveCancel"));
    connect(cancel, &QPushButton::clicked, this, [this] {
        end();
        m_bar->hide();
    });
}

void LogSaving::end()
{
    m_saver->cancel();
    m_saver->deleteLater(); // it may be what calls
    m_saver = nullptr;
    Q_EMIT changed();
}

} // namespace trainyard
