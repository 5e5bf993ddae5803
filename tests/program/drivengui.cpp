// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/program/drivengui.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

DrivenGui::DrivenGui(const ProgramsFixture &programs, const QStringList &files)
{
    QProcessEnvironment environment = programs.environment();
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    environment.insert(u"QT_QPA_GENERIC_PLUGINS"_s, u"trainyardtestdriver"_s);
    environment.insert(u"QT_PLUGIN_PATH"_s, programs.program(u"testplugins"_s));
    m_process.setProcessEnvironment(environment);
    m_process.setWorkingDirectory(programs.path(u"work"_s));
    m_process.setStandardErrorFile(programs.path(u"gui.err"_s), QIODevice::Append); // the platform's chatter
    m_process.start(programs.program(u"trainyard"_s), files);
}

void DrivenGui::kill()
{
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill(); // SIGKILL
        m_process.waitForFinished(5000);
    }
}

QJsonObject DrivenGui::ask(const QJsonObject &command)
{
    m_process.write(QJsonDocument(command).toJson(QJsonDocument::Compact) + '\n');
    qsizetype end = -1;
    [[maybe_unused]] const bool came = QTest::qWaitFor(
        [&] {
            m_buffer += m_process.readAllStandardOutput();
            end = m_buffer.indexOf('\n');
            return end >= 0 || m_process.state() == QProcess::NotRunning;
        },
        20000);
    if (end < 0) {
        qWarning() << "the program does not answer:" << command << m_process.errorString();
        return {};
    }
    const QByteArray line = m_buffer.left(end);
    m_buffer.remove(0, end + 1);
    return QJsonDocument::fromJson(line).object();
}

bool DrivenGui::wait(const QJsonObject &command, int ms)
{
    QString why;
    const bool isDone = QTest::qWaitFor(
        [&] {
            const QJsonObject answer = ask(command);
            why = answer.value("why"_L1).toString();
            return answer.value("ok"_L1).toBool();
        },
        ms);
    if (!isDone) {
        qWarning() << "the program cannot do this:" << command << why << dialogs() << texts();
    }
    return isDone;
}

bool DrivenGui::click(const QString &widget, int ms) { return wait({{u"do"_s, u"click"_s}, {u"name"_s, widget}}, ms); }

bool DrivenGui::clickButton(const QString &caption, int ms)
{
    return wait({{u"do"_s, u"clickButton"_s}, {u"text"_s, caption}}, ms);
}

bool DrivenGui::clickRow(const QString &view, const QString &text, int ms)
{
    const bool isClicked = wait({{u"do"_s, u"clickRow"_s}, {u"name"_s, view}, {u"text"_s, text}}, ms);
    if (!isClicked) {
        qWarning() << "its rows:" << rows(view);
    }
    return isClicked;
}

bool DrivenGui::enter(const QString &widget, const QString &text, int ms)
{
    return wait({{u"do"_s, u"enter"_s}, {u"name"_s, widget}, {u"text"_s, text}}, ms);
}

QList<QStringList> DrivenGui::rows(const QString &view)
{
    QList<QStringList> all;
    const QJsonArray answer = ask({{u"do"_s, u"rows"_s}, {u"name"_s, view}}).value("rows"_L1).toArray();
    for (const QJsonValue &row : answer) {
        QStringList cells;
        const QJsonArray array = row.toArray();
        for (const QJsonValue &cell : array) {
            cells.append(cell.toString());
        }
        all.append(cells);
    }
    return all;
}

QStringList DrivenGui::row(const QString &view, const QString &text)
{
    const QList<QStringList> all = rows(view);
    for (const QStringList &cells : all) {
        if (cells.constFirst() == text || cells.constFirst().endsWith(u'/' + text)) {
            return cells;
        }
    }
    return {};
}

QString DrivenGui::log()
{
    return ask({{u"do"_s, u"copyAll"_s}, {u"name"_s, u"logView"_s}}).value("text"_L1).toString();
}

QString DrivenGui::text(const QString &widget)
{
    return ask({{u"do"_s, u"text"_s}, {u"name"_s, widget}}).value("text"_L1).toString();
}

QStringList DrivenGui::texts()
{
    QStringList all = list({{u"do"_s, u"texts"_s}});
    for (QString &text : all) {
        text.remove(QChar(0x200b));
    }
    return all;
}

QStringList DrivenGui::dialogs() { return list({{u"do"_s, u"dialogs"_s}}); }

QString DrivenGui::clipboard() { return ask({{u"do"_s, u"clipboard"_s}}).value("text"_L1).toString(); }

QStringList DrivenGui::list(const QJsonObject &command)
{
    QStringList all;
    const QJsonArray answer = ask(command).value("texts"_L1).toArray();
    for (const QJsonValue &text : answer) {
        all.append(text.toString());
    }
    return all;
}
