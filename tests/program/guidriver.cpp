// SPDX-License-Identifier: GPL-3.0-or-later
// A Qt plugin that the real program loads when a test asks for it (QT_QPA_GENERIC_PLUGINS), so that it can be driven
// from outside with the mouse and the keyboard and without any code of its own for that. One JSON object a line on
// stdin is a command, one on stdout its answer. It knows widgets by their object names only.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QGenericPlugin>
#include <QHash>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSocketNotifier>
#include <QTest>

#include <unistd.h>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace
{

// The window that is seen: others (menus, tool tips) are not asked for.
QWidget *mainWindow()
{
    const QWidgetList all = QApplication::topLevelWidgets();
    for (QWidget *widget : all) {
        if (widget->objectName() == "mainWindow"_L1 && widget->isVisible()) {
            return widget;
        }
    }
    return nullptr;
}

QWidget *visibleWidget(const std::function<bool(const QWidget *)> &fits)
{
    const QWidget *window = mainWindow();
    const QList<QWidget *> all = window ? window->findChildren<QWidget *>() : QList<QWidget *>();
    for (QWidget *widget : all) {
        if (widget->isVisible() && fits(widget)) {
            return widget;
        }
    }
    return nullptr;
}

QWidget *named(const QString &name)
{
    return visibleWidget([&](const QWidget *widget) { return widget->objectName() == name; });
}

QString cellText(const QModelIndex &index)
{
    const QString shown = index.data(Qt::DisplayRole).toString();
    return shown.isEmpty() ? index.data(Qt::AccessibleTextRole).toString() : shown;
}

// "worker/0": a row with those that it stands under.
QString rowName(const QModelIndex &index)
{
    return index.parent().isValid() ? rowName(index.parent()) + u'/' + cellText(index) : cellText(index);
}

void addRows(const QAbstractItemModel *model, const QModelIndex &parent, QJsonArray &rows)
{
    for (int row = 0; row < model->rowCount(parent); ++row) {
        QJsonArray cells;
        for (int column = 0; column < model->columnCount(parent); ++column) {
            const QModelIndex index = model->index(row, column, parent);
            cells.append(column == 0 ? rowName(index) : cellText(index));
        }
        rows.append(cells);
        addRows(model, model->index(row, 0, parent), rows);
    }
}

QModelIndex findRow(const QAbstractItemModel *model, const QModelIndex &parent, const QString &text)
{
    for (int row = 0; row < model->rowCount(parent); ++row) {
        const QModelIndex index = model->index(row, 0, parent);
        const QString name = rowName(index);
        if (name == text || name.endsWith(u'/' + text)) {
            return index;
        }
        if (const QModelIndex below = findRow(model, index, text); below.isValid()) {
            return below;
        }
    }
    return {};
}

QJsonObject refuse(const QString &why) { return {{u"ok"_s, false}, {u"why"_s, why}}; }

QJsonObject clickWidget(QWidget *widget)
{
    if (!widget || !widget->isEnabled()) {
        return refuse(widget ? u"disabled: "_s + widget->toolTip() : u"not seen"_s);
    }
    // The clicks of a test go to the widget itself, past the dialog that a user would find in the way.
    if (const QWidget *dialog = QApplication::activeModalWidget(); dialog && widget->window() != dialog) {
        return refuse(u"behind a dialog: "_s + dialog->objectName());
    }
    // Left of the middle: a button with a menu has its arrow at the right.
    QTest::mouseClick(widget, Qt::LeftButton, {}, QPoint(std::min(12, widget->width() / 2), widget->height() / 2));
    return {{u"ok"_s, true}};
}

QJsonObject click(const QString &name) { return clickWidget(named(name)); }

// For buttons of dialogs, which their words name.
QJsonObject clickButton(const QString &caption)
{
    return clickWidget(visibleWidget([&](const QWidget *widget) {
        const auto *button = qobject_cast<const QAbstractButton *>(widget);
        return button && button->text().remove(u'&') == caption;
    }));
}

// Typed, with Return behind it, where the keyboard is: only if that is in the widget of this name.
QJsonObject enter(const QString &name, const QString &text)
{
    const QWidget *dialog = QApplication::activeModalWidget();
    const QWidget *window = dialog ? dialog : mainWindow();
    QWidget *field = window ? window->focusWidget() : nullptr;
    const QWidget *place = field;
    while (place && place->objectName() != name) {
        place = place->parentWidget();
    }
    if (!place || !field->isEnabled()) {
        return refuse(u"the keyboard is elsewhere"_s);
    }
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
    return {{u"ok"_s, true}};
}

QJsonObject clickRow(const QString &name, const QString &text)
{
    auto *view = qobject_cast<QAbstractItemView *>(named(name));
    const QModelIndex index = view ? findRow(view->model(), view->rootIndex(), text) : QModelIndex();
    if (!index.isValid()) {
        return refuse(view ? u"no such row"_s : u"not seen"_s);
    }
    view->scrollTo(index);
    const QPoint at = view->visualRect(index).center();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, at);
    return {{u"ok"_s, true}};
}

QJsonObject rows(const QString &name)
{
    const auto *view = qobject_cast<QAbstractItemView *>(named(name));
    if (!view) {
        return refuse(u"not seen"_s);
    }
    QJsonArray all;
    addRows(view->model(), view->rootIndex(), all);
    return {{u"ok"_s, true}, {u"rows"_s, all}};
}

// As a user takes a text out of a program: everything chosen, copied.
QJsonObject copyAll(const QString &name)
{
    QWidget *widget = named(name);
    if (!widget) {
        return refuse(u"not seen"_s);
    }
    QApplication::clipboard()->clear();
    widget->setFocus(); // its keys are its own
    QTest::keyClick(widget, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(widget, Qt::Key_C, Qt::ControlModifier);
    return {{u"ok"_s, true}, {u"text"_s, QApplication::clipboard()->text()}};
}

QJsonObject texts()
{
    const QWidget *window = mainWindow();
    QJsonArray all;
    const QList<QLabel *> labels = window ? window->findChildren<QLabel *>() : QList<QLabel *>();
    for (const QLabel *label : labels) {
        if (label->isVisible() && !label->text().isEmpty()) {
            all.append(label->text());
        }
    }
    return {{u"ok"_s, window != nullptr}, {u"title"_s, window ? window->windowTitle() : QString()}, {u"texts"_s, all}};
}

// Of a label, a button or a field.
QJsonObject text(const QString &name)
{
    const QWidget *widget = named(name);
    return widget ? QJsonObject{{u"ok"_s, true}, {u"text"_s, widget->property("text").toString()}}
                  : refuse(u"not seen"_s);
}

QJsonObject dialogs()
{
    QJsonArray all;
    const QWidgetList widgets = QApplication::topLevelWidgets();
    for (const QWidget *widget : widgets) {
        if (widget->isVisible() && qobject_cast<const QDialog *>(widget)) {
            all.append(widget->objectName().isEmpty() ? widget->windowTitle() : widget->objectName());
        }
    }
    return {{u"ok"_s, true}, {u"texts"_s, all}};
}

QJsonObject clipboard() { return {{u"ok"_s, true}, {u"text"_s, QApplication::clipboard()->text()}}; }

QJsonObject answerTo(const QJsonObject &command)
{
    using Answer = QJsonObject (*)(const QString &name, const QString &text);
    static const QHash<QString, Answer> answers{
        {u"click"_s, [](const QString &name, const QString &) { return click(name); }},
        {u"clickButton"_s, [](const QString &, const QString &text) { return clickButton(text); }},
        {u"clickRow"_s, [](const QString &name, const QString &text) { return clickRow(name, text); }},
        {u"clipboard"_s, [](const QString &, const QString &) { return clipboard(); }},
        {u"copyAll"_s, [](const QString &name, const QString &) { return copyAll(name); }},
        {u"dialogs"_s, [](const QString &, const QString &) { return dialogs(); }},
        {u"enter"_s, [](const QString &name, const QString &text) { return enter(name, text); }},
        {u"rows"_s, [](const QString &name, const QString &) { return rows(name); }},
        {u"text"_s, [](const QString &name, const QString &) { return text(name); }},
        {u"texts"_s, [](const QString &, const QString &) { return texts(); }},
    };
    const Answer answer = answers.value(command.value("do"_L1).toString());
    return answer ? answer(command.value("name"_L1).toString(), command.value("text"_L1).toString())
                  : refuse(u"no such command"_s);
}

class GuiDriver : public QObject
{
    Q_OBJECT
public:
    GuiDriver() : m_notifier(STDIN_FILENO, QSocketNotifier::Read)
    {
        connect(&m_notifier, &QSocketNotifier::activated, this, &GuiDriver::read);
    }

private:
    void read()
    {
        char buffer[4096];
        const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (n <= 0) {
            m_notifier.setEnabled(false);
            return;
        }
        m_input.append(buffer, n);
        for (qsizetype end = 0; (end = m_input.indexOf('\n')) >= 0;) {
            const QByteArray line = m_input.left(end);
            m_input.remove(0, end + 1);
            const QByteArray answer
                = QJsonDocument(answerTo(QJsonDocument::fromJson(line).object())).toJson(QJsonDocument::Compact) + '\n';
            std::fwrite(answer.constData(), 1, std::size_t(answer.size()), stdout);
            std::fflush(stdout);
        }
    }

    QSocketNotifier m_notifier;
    QByteArray m_input;
};

class GuiDriverPlugin : public QGenericPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "guidriver.json")
public:
    QObject *create(const QString &, const QString &) override { return new GuiDriver; }
};

} // namespace

#include "guidriver.moc"
