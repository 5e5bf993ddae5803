// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/programsfixture.h"

#include <QJsonObject>

// The real `trainyard`, driven with mouse and keyboard (guidriver.cpp). Ends with -9 when it goes.
class DrivenGui
{
public:
    DrivenGui(const ProgramsFixture &programs, const QStringList &files);
    ~DrivenGui() { kill(); }

    void kill(); // with -9
    qint64 pid() const { return m_process.processId(); }

    bool click(const QString &widget, int ms = 20000); // as soon as it can be clicked
    bool clickButton(const QString &caption, int ms = 20000);
    bool clickRow(const QString &view, const QString &text, int ms = 20000);
    // Types it, with Return behind it, as soon as the keyboard is in this widget.
    bool enter(const QString &widget, const QString &text, int ms = 20000);
    QList<QStringList> rows(const QString &view);
    // A row is named with those that it stands under, "worker/0"; the last part is enough.
    QStringList row(const QString &view, const QString &text);
    QString log(); // all of the log that is shown
    QString text(const QString &widget); // empty: it is not seen
    QStringList texts(); // of all labels, without the places at which long words may be broken
    QStringList dialogs(); // that are open
    QString clipboard();

private:
    QJsonObject ask(const QJsonObject &command);
    bool wait(const QJsonObject &command, int ms); // until the program can do it
    QStringList list(const QJsonObject &command);
    QProcess m_process;
    QByteArray m_buffer;
};
